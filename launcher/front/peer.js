// Real client address of a connection: loopback, the client of a trusted proxy, or remote; forged headers are ignored.

import net from 'node:net';

/**
 * @typedef {object} Peer
 * @property {string} address of the client, as far as it can be believed
 * @property {boolean} secure the client's own connection is encrypted
 * @property {boolean} loopback the request was made on this very machine, with a name of this machine
 * @property {boolean} plainAllowed may be served without TLS
 */

/**
 * @param {string[]} trustedProxies addresses or CIDR ranges
 * @param {boolean} plainFromProxies
 */
export function createPeerReader(trustedProxies, plainFromProxies) {
  const trusted = blockList(trustedProxies);
  const isTrusted = (/** @type {string} */ address) => trusted.check(address, net.isIPv6(address) ? 'ipv6' : 'ipv4');

  /**
   * @param {import('node:http').IncomingMessage} request
   * @returns {Peer}
   */
  return (request) => {
    const direct = plainAddress(request.socket.remoteAddress ?? '');
    const encrypted = 'encrypted' in request.socket && request.socket.encrypted === true;
    const viaProxy = isTrusted(direct);
    const forwarded = viaProxy ? forwardedClient(request, isTrusted) : null;
    const address = forwarded?.address ?? direct;
    return {
      address,
      secure: encrypted || forwarded?.secure === true,
      loopback: isLoopback(direct) && isLocal(request.headers),
      plainAllowed: isLoopback(direct) || (plainFromProxies && viaProxy),
    };
  };
}

/**
 * The rightmost address that is not itself a trusted proxy: everything left of it may be invented.
 * @param {import('node:http').IncomingMessage} request
 * @param {(address: string) => boolean} isTrusted
 */
function forwardedClient(request, isTrusted) {
  const chain = String(request.headers['x-forwarded-for'] ?? '')
    .split(',')
    .map((part) => plainAddress(part.trim()));
  const known = chain.filter((address) => net.isIP(address) !== 0);
  const address = known.findLast((candidate) => !isTrusted(candidate)) ?? known[0];
  const secure =
    String(request.headers['x-forwarded-proto'] ?? '')
      .split(',')
      .at(-1)
      ?.trim() === 'https';
  return address === undefined ? null : { address, secure };
}

/**
 * A proxy on this machine that nobody told us about still sends these headers: its clients are not local.
 * @param {import('node:http').IncomingHttpHeaders} headers
 */
function isLocal(headers) {
  const proxied = headers['x-forwarded-for'] !== undefined || headers['forwarded'] !== undefined;
  return !proxied && isLoopbackHost(headers.host ?? '');
}

/** @param {string} address */
export function isLoopback(address) {
  return address === '::1' || address.startsWith('127.');
}

/** @param {string} host header; a foreign name that resolves to 127.0.0.1 is a rebinding attack, not a local user */
function isLoopbackHost(host) {
  const name = host.replace(/:\d+$/, '').toLowerCase();
  return name === 'localhost' || name === '[::1]' || (net.isIPv4(name) && isLoopback(name));
}

/** @param {string} address an IPv4 peer of a dual-stack socket shows as ::ffff:a.b.c.d */
function plainAddress(address) {
  return address.replace(/^::ffff:(?=\d+\.)/i, '').replace(/%.*/s, '');
}

/**
 * Under which an address is counted: IPv4 whole, IPv6 by its /64. `rules/places` counts likewise; nothing of ours is imported here.
 * @param {string} address
 */
export function addressKey(address) {
  const plain = plainAddress(address);
  if (!net.isIPv6(plain)) return plain;
  const [before = [], after = []] = plain.split('::').map((half) => half.split(':').filter((group) => group !== ''));
  const zeros = new Array(Math.max(0, 8 - before.length - after.length)).fill('0');
  return `${[...before, ...zeros, ...after].slice(0, 4).join(':')}::/64`;
}

/**
 * @param {string[]} trustedProxies
 * @returns {(address: string) => boolean} whether many clients come from there
 */
export function createProxyTest(trustedProxies) {
  const trusted = blockList(trustedProxies);
  return (address) => {
    const plain = plainAddress(address);
    return trusted.check(plain, net.isIPv6(plain) ? 'ipv6' : 'ipv4');
  };
}

/** @param {string[]} ranges */
function blockList(ranges) {
  const list = new net.BlockList();
  for (const range of ranges) {
    const [address = '', bits] = range.split('/');
    const family = net.isIPv6(address) ? 'ipv6' : 'ipv4';
    if (bits === undefined) list.addAddress(address, family);
    else list.addSubnet(address, Number(bits), family);
  }
  return list;
}
