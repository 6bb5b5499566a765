// Table of all listening ports; docs/ports.md and the list of the product's own ports derive from it.

import { databaseServers } from '../postgres/database-servers.js';

/**
 * @typedef {object} ListeningPort
 * @property {string} name
 * @property {string} address
 * @property {string} port number, file name, or how it is chosen
 * @property {string} process that listens
 * @property {string} reach who can connect
 * @property {string} use
 */

/** @type {readonly ListeningPort[]} */
export const listeningPorts = [
  {
    name: 'gateway',
    address: 'every address, or --host',
    port: '8800, or --port',
    process: 'gateway/main-gateway.ts',
    reach: 'everyone who can reach this machine',
    use: 'console, API, events and media; TLS and plain HTTP on the same port, plain for this machine and trusted proxies only',
  },
  {
    name: 'rtsp',
    address: 'every address, or --host',
    port: '8554, or --rtsp-port; any free one with --port 0',
    process: 'site/main-site.ts',
    reach: 'everyone who can reach this machine and has a ticket',
    use: 'live streams for native clients; absent with --rtsp-port off',
  },
  {
    name: 'rtsp media',
    address: 'the address that the client reached',
    port: 'UDP 8556 to 8571, or the same distance from --rtsp-port; any free pair with --port 0',
    process: 'site/main-site.ts',
    reach: 'clients of the RTSP port',
    use: 'RTP and RTCP of clients that ask for UDP; a pair is opened with the first of them',
  },
  {
    name: 'direct media',
    address: 'the addresses of the site',
    port: 'UDP, chosen by the system',
    process: 'site/main-site.ts',
    reach: 'browsers that know the fingerprint and password of this one session',
    use: 'by WebRTC straight between a browser and the site: live video of a remote site, and what somebody says to a camera; open meanwhile, and optional: otherwise both take the public port',
  },
  {
    name: 'servers',
    address: 'that of --node-address',
    port: 'that of --node-address; closed without it',
    process: 'gateway/main-gateway.ts',
    reach: 'the other servers of the same database, by the certificate that stands there',
    use: 'lines between servers: calls to sites that are connected to another one, and what has to be told to all; media of those sites',
  },
  {
    name: 'camera media',
    address: 'the address that faces the camera',
    port: 'UDP, pairs chosen by the system',
    process: 'site/main-site.ts',
    reach: 'that camera; packets of others are dropped',
    use: 'RTP and RTCP of cameras that give no TCP; open while such a stream is pulled',
  },
  {
    name: 'virtual devices',
    address: '127.0.0.1',
    port: 'chosen by the system, kept over restarts',
    process: 'virtual-devices/main-virtual-devices.js',
    reach: 'this machine',
    use: 'RTSP and ONVIF of the demo cameras, and their control port; absent with --no-demo',
  },
  {
    name: 'server',
    address: 'unix socket',
    port: '<data>/run/server.sock',
    process: 'server/main-server.ts',
    reach: 'the user who runs Vedette',
    use: 'API, events, console files, the port of sites',
  },
  {
    name: 'site',
    address: 'unix socket',
    port: '<data>/run/site.sock',
    process: 'site/main-site.ts',
    reach: 'the user who runs Vedette',
    use: 'everything under /media/ but live video',
  },
  {
    name: 'feed',
    address: 'unix socket',
    port: '<data>/run/feed.sock',
    process: 'site/main-site.ts',
    reach: 'the user who runs Vedette',
    use: 'live streams for the gateway, one copy each, and the tickets of its viewers',
  },
  {
    name: 'postgres',
    address: 'unix socket',
    port: '<data>/run/.s.PGSQL.5432',
    process: 'embedded PostgreSQL',
    reach: 'the user who runs Vedette',
    use: 'the database; absent when DATABASE_URL is set',
  },
];

/**
 * TCP ports of ours that no camera's address may name.
 * @param {number} port of the gateway
 * @param {string | null} databaseUrl of a database of the operator's own
 * @param {number | null} [nodePort] for other servers
 */
export function ownPorts(port, databaseUrl, nodePort = null) {
  const servers = databaseUrl === null ? [] : databaseServers(databaseUrl);
  return [
    ...new Set([port, ...servers.flatMap((server) => server.port ?? []), ...(nodePort === null ? [] : [nodePort])]),
  ];
}

/** @returns {string} the table of docs/ports.md */
export function portsAsMarkdown() {
  const rows = listeningPorts.map(
    (row) => `| ${row.name} | ${row.address} | ${row.port} | \`${row.process}\` | ${row.reach} | ${row.use} |`,
  );
  return ['| what | address | port | process | who can connect | for |', '|---|---|---|---|---|---|', ...rows].join(
    '\n',
  );
}
