// Option --node-address: where this machine takes the lines of other servers on the same database.

import net from 'node:net';
import os from 'node:os';
import { LaunchError } from '../core/launch-error.js';

/**
 * @typedef {object} NodeAddress
 * @property {string} host an address of this machine
 * @property {number} port
 */

/** RFC 1918, RFC 4193, RFC 6598, loopback and link-local: not reached from the internet. */
const inner = new net.BlockList();
for (const [prefix, bits] of /** @type {const} */ ([
  ['10.0.0.0', 8],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
]))
  inner.addSubnet(prefix, bits, 'ipv4');
inner.addSubnet('fc00::', 7, 'ipv6');
inner.addAddress('::1', 'ipv6');

/**
 * Numeric, since the other servers dial it as it stands here.
 * @param {string} text empty: there is none
 * @param {string | null} databaseUrl
 * @param {readonly string[]} [addresses] of this machine
 * @returns {NodeAddress | null}
 */
export function readNodeAddress(text, databaseUrl, addresses = ownAddresses()) {
  if (text === '') return null;
  const address = parse(text);
  const { host } = address;
  if (!addresses.includes(host)) throw wrong(`${host} is no address of this machine; it has ${addresses.join(', ')}.`);
  if (!inner.check(host, net.isIPv4(host) ? 'ipv4' : 'ipv6'))
    throw wrong(`${host} is a public address: let the servers speak to each other over a private network or a VPN.`);
  if (databaseUrl === null)
    throw wrong('--node-address needs DATABASE_URL: the embedded database serves this server alone.');
  return address;
}

/**
 * @param {string} text
 * @returns {NodeAddress}
 */
function parse(text) {
  const [, v6 = '', v4 = '', digits] = /^(?:\[([^\]]+)\]|([^:]+)):(\d{1,5})$/.exec(text) ?? [];
  const port = Number(digits);
  if ((!net.isIPv6(v6) && !net.isIPv4(v4)) || port < 1 || port > 65_535)
    throw wrong(`"${text}" is not an address and a port such as 10.0.0.5:8810 or [fd00::5]:8810.`);
  return { host: v6 || v4, port };
}

/** @param {NodeAddress} address */
export function nodeAddressText({ host, port }) {
  return `${host.includes(':') ? `[${host}]` : host}:${port}`;
}

function ownAddresses() {
  return Object.values(os.networkInterfaces())
    .flatMap((list) => list ?? [])
    .map(({ address }) => address);
}

/** @param {string} message */
function wrong(message) {
  return new LaunchError('usage', message, { hint: 'See npm start -- --help.', exitCode: 2 });
}
