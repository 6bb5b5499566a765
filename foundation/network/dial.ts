// Dials TCP and TLS under a network policy: resolves a name once, checks the addresses, and connects to exactly those.
import { connect as connectTcp, isIP, type OnReadOpts, type Socket } from 'node:net';
import { type ConnectionOptions, connect as connectTls } from 'node:tls';
import { raceSignal } from '../concurrency/race-signal.ts';
import { type AddressVerdict, checkAddress, type NetworkPolicy } from './network-policy.ts';

export interface DialTarget {
  /** Name or address; brackets around an IPv6 address are allowed. */
  readonly host: string;
  readonly port: number;
  /** Null: no TLS. The certificate must match the name, even when dialling an address. */
  readonly tls: Pick<ConnectionOptions, 'rejectUnauthorized' | 'ALPNProtocols'> | null;
  /** Reads into the caller's buffer instead of emitting `data`. */
  readonly onread?: OnReadOpts | undefined;
}

export interface DialOptions {
  /** All addresses of a name, in the order to try. */
  readonly resolve: (host: string, signal: AbortSignal) => Promise<readonly string[]>;
  /** Read at every dial, since settings and interfaces change. */
  readonly policy: () => NetworkPolicy;
  /** From the look-up to the open connection. */
  readonly signal: AbortSignal;
}

/** The network policy refused the address. */
export class AddressRefused extends Error {
  readonly verdicts: readonly AddressVerdict[];

  constructor(verdicts: readonly AddressVerdict[]) {
    super(`the network policy refuses this address: ${verdicts.join(', ')}`);
    this.name = 'AddressRefused';
    this.verdicts = verdicts;
  }
}

/** Without a cause: the name exists and has no address. */
export class NameNotResolved extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'NameNotResolved';
  }
}

/** Rejects with AddressRefused, NameNotResolved, the error of the last connection that was tried, or the signal's reason. */
export async function dial(target: DialTarget, options: DialOptions): Promise<Socket> {
  const { signal } = options;
  const host = bare(target.host);
  const addresses = await allowedAddresses(target, options);
  let failure: unknown = null;
  for (const address of addresses) {
    try {
      return await connected(address, host, target, signal);
    } catch (error) {
      signal.throwIfAborted();
      failure = error;
    }
  }
  throw failure;
}

function bare(host: string): string {
  return host.replace(/^\[(.*)\]$/u, '$1');
}

/** What `dial` would connect to, at least one. Rejects as it does. */
export function allowedAddresses(
  { host, port }: Pick<DialTarget, 'host' | 'port'>,
  options: DialOptions,
): Promise<readonly string[]> {
  return raceSignal(checkedAddresses(bare(host), port, options), options.signal);
}

async function checkedAddresses(
  host: string,
  port: number,
  { resolve, policy, signal }: DialOptions,
): Promise<readonly string[]> {
  const resolved = isIP(host) === 0 ? await addressesOf(host, resolve, signal) : [host];
  if (resolved.length === 0) throw new NameNotResolved('the name has no address');
  const today = policy();
  const verdicts = resolved.map((address) => checkAddress(address, port, today));
  const allowed = resolved.filter((_, index) => verdicts[index] === 'allowed');
  const isRefused = today.names === 'all-allowed' ? allowed.length < resolved.length : allowed.length === 0;
  if (isRefused) throw new AddressRefused(verdicts);
  return today.names === 'all-allowed' ? allowed.slice(0, 1) : allowed;
}

async function addressesOf(
  host: string,
  resolve: DialOptions['resolve'],
  signal: AbortSignal,
): Promise<readonly string[]> {
  try {
    return await resolve(host, signal);
  } catch (error) {
    signal.throwIfAborted();
    throw new NameNotResolved('the name was not resolved', { cause: error });
  }
}

/** Whatever the process was started with. */
const OLDEST_TLS = 'TLSv1.2';

function connected(
  address: string,
  host: string,
  { port, tls, onread }: DialTarget,
  signal: AbortSignal,
): Promise<Socket> {
  const where = { host: address, port, ...(onread === undefined ? {} : { onread }) };
  if (tls === null) return opened(connectTcp({ ...where, noDelay: true }), 'connect', signal);
  const name = isIP(host) === 0 ? { servername: host } : {};
  return opened(connectTls({ minVersion: OLDEST_TLS, ...where, ...name, ...tls }), 'secureConnect', signal);
}

function opened(socket: Socket, event: 'connect' | 'secureConnect', signal: AbortSignal): Promise<Socket> {
  const settled = new Promise<Socket>((resolve, reject) => {
    socket.once(event, () => {
      socket.off('error', reject);
      resolve(socket);
    });
    socket.once('error', reject);
  });
  return raceSignal(settled, signal, () => {
    // A late error of the socket after the race was already reported.
    socket.on('error', () => socket.destroy());
    socket.destroy();
  });
}
