// Real client address of a connection: loopback, the client of a trusted proxy, or remote; forged headers are ignored.
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import net from 'node:net';

export interface Peer {
  /** Of the client, as far as it can be believed. */
  readonly address: string;
  /** The client's own connection is encrypted. */
  readonly secure: boolean;
  /** The request was made on this very machine, with a name of this machine. */
  readonly loopback: boolean;
  /** May be served without TLS. */
  readonly plainAllowed: boolean;
}

type AddressTest = (address: string) => boolean;

/** @param trustedProxies addresses or CIDR ranges */
export function createPeerReader(
  trustedProxies: readonly string[],
  plainFromProxies: boolean,
): (request: IncomingMessage) => Peer {
  const isTrusted = createProxyTest(trustedProxies);
  return (request) => {
    const direct = plainAddress(request.socket.remoteAddress ?? '');
    const encrypted = 'encrypted' in request.socket && request.socket.encrypted === true;
    const viaProxy = isTrusted(direct);
    const forwarded = viaProxy ? forwardedClient(request, isTrusted) : null;
    return {
      address: forwarded?.address ?? direct,
      secure: encrypted || forwarded?.secure === true,
      loopback: isLoopback(direct) && isLocal(request.headers),
      plainAllowed: isLoopback(direct) || (plainFromProxies && viaProxy),
    };
  };
}

/**
 * @param trustedProxies addresses or CIDR ranges
 * @returns whether many clients come from an address
 */
export function createProxyTest(trustedProxies: readonly string[]): AddressTest {
  const trusted = new net.BlockList();
  for (const range of trustedProxies) {
    const [address = '', bits] = range.split('/');
    if (bits === undefined) trusted.addAddress(address, familyOf(address));
    else trusted.addSubnet(address, Number(bits), familyOf(address));
  }
  return (address) => {
    const plain = plainAddress(address);
    return trusted.check(plain, familyOf(plain));
  };
}

/** The rightmost address that is not itself a trusted proxy: everything left of it may be invented. */
function forwardedClient(
  { headers }: IncomingMessage,
  isTrusted: AddressTest,
): Pick<Peer, 'address' | 'secure'> | null {
  const known = partsOf(headers['x-forwarded-for'])
    .map(plainAddress)
    .filter((address) => net.isIP(address) !== 0);
  const address = known.findLast((candidate) => !isTrusted(candidate)) ?? known[0];
  const secure = partsOf(headers['x-forwarded-proto']).at(-1) === 'https';
  return address === undefined ? null : { address, secure };
}

function partsOf(header: string | string[] | undefined): string[] {
  return String(header ?? '')
    .split(',')
    .map((part) => part.trim());
}

/** A proxy on this machine that nobody told us about still sends these headers: its clients are not local. */
function isLocal(headers: IncomingHttpHeaders): boolean {
  const proxied = headers['x-forwarded-for'] !== undefined || headers['forwarded'] !== undefined;
  return !proxied && isLoopbackHost(headers.host ?? '');
}

function isLoopback(address: string): boolean {
  return address === '::1' || address.startsWith('127.');
}

/** @param host header; a foreign name that resolves to 127.0.0.1 is a rebinding attack, not a local user */
function isLoopbackHost(host: string): boolean {
  const name = host.replace(/:\d+$/, '').toLowerCase();
  return name === 'localhost' || name === '[::1]' || (net.isIPv4(name) && isLoopback(name));
}

/** An IPv4 peer of a dual-stack socket shows as ::ffff:a.b.c.d. */
function plainAddress(address: string): string {
  return address.replace(/^::ffff:(?=\d+\.)/i, '').replace(/%.*/s, '');
}

function familyOf(address: string): 'ipv4' | 'ipv6' {
  return net.isIPv6(address) ? 'ipv6' : 'ipv4';
}
