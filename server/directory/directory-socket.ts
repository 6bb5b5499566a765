// Dials a directory under the network policy, with TLS from the start, by StartTLS, or without.
import { isIP, type Socket } from 'node:net';
import { type ConnectionOptions, connect as connectTls, type TLSSocket } from 'node:tls';
import type { DirectorySecurity } from '@vedette/contract/enumerations.ts';
import { raceSignal } from '@vedette/foundation/concurrency/race-signal.ts';
import { INSTALLATION, OutboundClient } from '../outbound/outbound-client.ts';
import { outboundFault } from '../outbound/outbound-fault.ts';
import { connectionFault, DirectoryError } from './directory-fault.ts';
import { askForTls } from './start-tls.ts';

/** The operator's own networks, as for other services that the operator names: this machine may be one. */
const OPERATOR_NETWORKS = ['127.0.0.0/8', '::1/128'];
const USUAL_PORT: Readonly<Record<DirectorySecurity, number>> = { ldaps: 636, startTls: 389, plain: 389 };
const CERTIFICATES = /-----BEGIN CERTIFICATE-----[A-Za-z0-9+/=\s]+-----END CERTIFICATE-----/g;

export interface DirectoryHost {
  /** With a port where it is not the usual one. */
  readonly host: string;
  readonly security: DirectorySecurity;
  /** PEM; empty: what this machine trusts. */
  readonly authority: string;
}

/** Rejects with a DirectoryError that names the step. */
export async function dialDirectory(
  place: DirectoryHost,
  ownPorts: ReadonlySet<number>,
  signal: AbortSignal,
): Promise<Socket> {
  const { name, port } = hostAndPort(place);
  const outbound = new OutboundClient({
    policy: async () => ({ isOperator: true, openNetworks: OPERATOR_NETWORKS, ownPorts }),
  });
  const socket = await dialled(() => outbound.dial(name, port, { ...INSTALLATION, signal }));
  try {
    if (place.security === 'plain') return socket;
    if (place.security === 'startTls') await promised(socket, signal);
    return await secured(socket, { name, authority: place.authority }, signal);
  } catch (error) {
    socket.destroy();
    throw signal.aborted ? new DirectoryError('identityUnreachable', 'no answer in time') : connectionFault(error);
  }
}

async function dialled(dial: () => Promise<Socket>): Promise<Socket> {
  try {
    return await dial();
  } catch (error) {
    throw connectionFault(error);
  }
}

export function hostAndPort({ host, security }: Pick<DirectoryHost, 'host' | 'security'>): {
  readonly name: string;
  readonly port: number;
} {
  const at = host.endsWith(']') ? -1 : host.lastIndexOf(':');
  const [name, port] = at === -1 ? [host, USUAL_PORT[security]] : [host.slice(0, at), Number(host.slice(at + 1))];
  return { name: name.replace(/^\[(.*)\]$/u, '$1'), port };
}

async function promised(socket: Socket, signal: AbortSignal): Promise<void> {
  try {
    await askForTls(socket, signal);
  } catch (error) {
    if (signal.aborted || error instanceof DirectoryError) throw error;
    throw new DirectoryError('identityNoTls', outboundFault(error).message, { cause: error });
  }
}

/** The certificate must be of the name, by the operator's authority where one is given. */
async function secured(
  socket: Socket,
  { name, authority }: { readonly name: string; readonly authority: string },
  signal: AbortSignal,
): Promise<TLSSocket> {
  const options: ConnectionOptions = {
    socket,
    host: name,
    minVersion: 'TLSv1.2',
    ...(isIP(name) === 0 && { servername: name }),
    ...(authority !== '' && { ca: authority.match(CERTIFICATES) ?? [] }),
  };
  const line = connectTls(options);
  const settled = new Promise<TLSSocket>((resolve, reject) => {
    line.once('secureConnect', () => resolve(line));
    line.on('error', reject);
    line.once('close', () => reject(Object.assign(new Error('closed'), { code: 'ECONNRESET' })));
  });
  try {
    return await raceSignal(settled, signal);
  } catch (error) {
    line.destroy();
    if (signal.aborted) throw error;
    throw new DirectoryError('identityNoTls', outboundFault(error).message, { cause: error });
  }
}
