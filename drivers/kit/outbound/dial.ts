// Dials TCP and TLS connections for drivers: resolves once, checks the resolved addresses, and connects to exactly those.
import { type Socket, connect as connectTcp, isIP } from 'node:net';
import { connect as connectTls, TLSSocket } from 'node:tls';
import { DeviceFault } from '../device-fault.ts';
import type { DialTarget } from '../driver-context.ts';
import { type Deadline, openDeadline } from './deadline.ts';
import { type NetworkPolicy, type PolicyDecision, checkAddress } from './network-policy.ts';
import { networkFault } from './network-fault.ts';

export interface DialOptions {
  /** All addresses of a name, in the order to try; errors carry the code of getaddrinfo. */
  readonly resolve: (host: string) => Promise<readonly string[]>;
  /** Read at every dial, since settings and interfaces change. */
  readonly policy: () => NetworkPolicy;
  /** Before a byte is sent; throws to refuse. The print is SHA-256. */
  readonly checkCertificate?: (host: string, port: number, fingerprint: string) => void;
  /** Each connection once it stands, so that what comes over it can be counted. */
  readonly onSocket?: (socket: Socket) => void;
}

export async function dial(options: DialOptions, target: DialTarget): Promise<Socket> {
  using deadline = openDeadline(target.timeoutMs, target.signal);
  return await dialWithin(options, target, deadline);
}

export async function dialWithin(options: DialOptions, target: DialTarget, deadline: Deadline): Promise<Socket> {
  const host = target.host.replace(/^\[(.*)\]$/u, '$1');
  const addresses = await deadline.race(allowedAddresses(options, host, target.port));
  let failure: unknown = null;
  for (const address of addresses) {
    try {
      const socket = await connect(address, target, host, deadline);
      check(options, socket, host, target.port);
      options.onSocket?.(socket);
      return socket;
    } catch (error) {
      deadline.throwIfOver();
      if (error instanceof DeviceFault) throw error;
      failure = error;
    }
  }
  throw networkFault(failure);
}

async function allowedAddresses(options: DialOptions, host: string, port: number): Promise<readonly string[]> {
  let resolved: readonly string[];
  try {
    resolved = isIP(host) === 0 ? await options.resolve(host) : [host];
  } catch (error) {
    throw new DeviceFault('name-not-found', 'the name of the device was not found', { cause: error });
  }
  const policy = options.policy();
  const verdicts: PolicyDecision[] = resolved.map((address) => checkAddress(address, port, policy));
  const allowed = resolved.filter((_, index) => verdicts[index] === 'allowed');
  if (allowed.length > 0) return allowed;
  if (resolved.length === 0) throw new DeviceFault('name-not-found', 'the name of the device has no address');
  throw new DeviceFault('address-refused', `the network policy refuses this address: ${verdicts.join(', ')}`);
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

/** Cameras come with certificates of their own making, so the chain is not judged; who answered first is known again by it. */
function connect(address: string, target: DialTarget, host: string, deadline: Deadline): Promise<Socket> {
  const where = { host: address, port: target.port, ...(target.onread === undefined ? {} : { onread: target.onread }) };
  if (!target.tls) return settled(connectTcp({ ...where, noDelay: true }), 'connect', deadline);
  const name = isIP(host) === 0 ? { servername: host } : {};
  return settled(connectTls({ ...where, ...name, rejectUnauthorized: false }), 'secureConnect', deadline);
}

function settled(socket: Socket, event: 'connect' | 'secureConnect', deadline: Deadline): Promise<Socket> {
  const opened = new Promise<Socket>((resolve, reject) => {
    socket.once(event, () => {
      socket.off('error', reject);
      resolve(socket);
    });
    socket.once('error', reject);
  });
  return deadline.race(opened, () => {
    // The socket outlives the race by a moment; its late error has been told already.
    socket.on('error', () => socket.destroy());
    socket.destroy();
  });
}
