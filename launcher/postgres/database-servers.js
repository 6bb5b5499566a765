// The servers that DATABASE_URL names: one, or several of which one takes writes.

import { LaunchError } from '../core/launch-error.js';

const defaultPort = 5432;
const form = /^(\w+:\/\/(?:[^@/?]*@)?)([^@/?]*)((?:[/?].*)?)$/;

/**
 * @typedef {object} DatabaseServer
 * @property {string} url of this server alone
 * @property {string} place host and port, or where the socket is: never with a password
 * @property {number | null} port null: a unix socket
 */

/**
 * `postgres://user@a:5432,b:5432/name` is two of one database. As server/database/primary-finder.ts splits it.
 * @param {string} url
 * @returns {DatabaseServer[]}
 */
export function databaseServers(url) {
  const [, before = '', hosts = '', after = ''] = form.exec(url) ?? [];
  const names = hosts.split(',');
  if (names.length === 1) return [serverOf(url)];
  if (names.includes('')) throw invalid('names a server without a host');
  const servers = names.map((name) => serverOf(`${before}${name}${after}`));
  const places = servers.map(({ place }) => place.toLowerCase());
  const twice = places.find((place, index) => places.indexOf(place) !== index);
  if (twice !== undefined) throw invalid(`names ${twice} twice`);
  return servers;
}

/**
 * @param {string} url
 * @returns {DatabaseServer}
 */
function serverOf(url) {
  if (!URL.canParse(url)) throw invalid('is not an address such as postgres://user:password@host/name');
  const { hostname, port } = new URL(url);
  if (port === '0') throw invalid('names port 0');
  // Without a host name it is a unix socket.
  if (hostname === '') return { url, place: 'the local socket', port: null };
  const number = Number(port || defaultPort);
  return { url, place: `${hostname}:${number}`, port: number };
}

/** @param {string} fault */
function invalid(fault) {
  return new LaunchError('databaseUrlInvalid', `DATABASE_URL ${fault}.`, {
    hint: 'Several servers of one database are written with commas: postgres://user:password@a:5432,b:5432/name.',
  });
}
