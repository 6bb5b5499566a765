// Dials TCP and TLS for drivers under the network policy; errors become DeviceFaults.
import type { Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import { AddressRefused, dial as dialAllowed, NameNotResolved } from '@vedette/foundation/network/dial.ts';
import type { NetworkPolicy } from '@vedette/foundation/network/network-policy.ts';
import { DeviceFault } from '../device-fault.ts';
import type { DialTarget } from '../driver-context.ts';
import { type Deadline, openDeadline } from './deadline.ts';
import { networkFault } from './network-fault.ts';

export interface DialOptions {
  /** All addresses of a name, in the order to try. */
  readonly resolve: (host: string, signal: AbortSignal) => Promise<readonly string[]>;
  /** Read at every dial, since settings and interfaces change. */
  readonly policy: () => NetworkPolicy;
  /** Called before a byte is sent; throws to refuse. The fingerprint is SHA-256. */
  readonly checkCertificate?: (host: string, port: number, fingerprint: string) => void;
  /** Called for each connection, for counting its bytes. */
  readonly onSocket?: (socket: Socket) => void;
}

export async function dial(options: DialOptions, target: DialTarget): Promise<Socket> {
  using deadline = openDeadline(target.timeoutMs, target.signal);
  return await dialWithin(options, target, deadline);
}

export async function dialWithin(options: DialOptions, target: DialTarget, { signal }: Deadline): Promise<Socket> {
  const { host, port, onread } = target;
  // Cameras have self-signed certificates, so the chain is not verified; the certificate is pinned instead.
  const tls = target.tls ? { rejectUnauthorized: false } : null;
  let socket: Socket;
  try {
    const { resolve, policy } = options;
    socket = await dialAllowed({ host, port, tls, onread }, { resolve, policy, signal });
  } catch (error) {
    signal.throwIfAborted();
    throw dialFault(error);
  }
  check(options, socket, host.replace(/^\[(.*)\]$/u, '$1'), port);
  options.onSocket?.(socket);
  return socket;
}

function dialFault(error: unknown): unknown {
  if (error instanceof AddressRefused) return new DeviceFault('address-refused', error.message);
  if (!(error instanceof NameNotResolved)) return networkFault(error);
  const message =
    error.cause === undefined ? 'the name of the device has no address' : 'the name of the device was not found';
  return new DeviceFault('name-not-found', message, { cause: error.cause });
}

function check({ checkCertificate }: DialOptions, socket: Socket, host: string, port: number): void {
  if (!(socket instanceof TLSSocket)) return;
  try {
    checkCertificate?.(host, port, socket.getPeerX509Certificate()?.fingerprint256 ?? '');
  } catch (error) {
    socket.destroy();
    throw error;
  }
}
