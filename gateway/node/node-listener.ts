// The port between servers of one database: TLS with a certificate on both ends. Lines go to the server, which judges them by the fingerprint; media to the site.
import https from 'node:https';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { pipeline, type Duplex } from 'node:stream';
import type { SecureContextOptions, TLSSocket } from 'node:tls';
import { peerFingerprint } from '@vedette/foundation/network/pinned-tls.ts';
import { refuseUpgrade } from '@vedette/media/live/refuse-upgrade.ts';
import type { Peer } from '../client/peer.ts';
import { requestHeaders } from '../forwarding/headers.ts';
import type { Proxy } from '../forwarding/proxy.ts';
import { dialSocket, passUpgrade } from '../forwarding/upgrade.ts';
import type { KnownNodes } from './known-nodes.ts';
import type { NodeConnections } from './node-connections.ts';
import { FEED_PATH, FEED_PROTOCOL } from './node-dialler.ts';

export interface NodeListenerOptions {
  readonly secureContext: SecureContextOptions;
  readonly sockets: { readonly server: string; readonly site: string; readonly feed: string };
  /** Who gets media. */
  readonly nodes: Pick<KnownNodes, 'has'>;
  readonly proxy: Pick<Proxy, 'pass'>;
  readonly connections: Pick<NodeConnections, 'keep'>;
}

const LINES_PATH = '/node';
const MEDIA = '/media/';
const LIMITS = { maxHeaderSize: 16 * 1024, headersTimeout: 10_000, requestTimeout: 60_000, handshakeTimeout: 10_000 };
/** A line or two and a feed from each of the other servers, and what its viewers ask for: a thousand connections at most from each. */
const CONNECTIONS_MAX = 10_000;
const FEED_ANSWER = `HTTP/1.1 101 Switching Protocols\r\nconnection: Upgrade\r\nupgrade: ${FEED_PROTOCOL}\r\n\r\n`;

export function createNodeListener(options: NodeListenerOptions): https.Server {
  const server = https.createServer({
    ...options.secureContext,
    ...LIMITS,
    ALPNProtocols: ['http/1.1'],
    minVersion: 'TLSv1.3',
    requestCert: true,
    // There is no authority: each certificate is known by its fingerprint.
    rejectUnauthorized: false,
  });
  server.maxConnections = CONNECTIONS_MAX;
  server.on('tlsClientError', (_error, socket) => socket.destroy());
  server.on('clientError', (_error, socket) => socket.destroy());
  server.on('request', (request, response) => answer(options, request, response));
  server.on('upgrade', (request, socket, head) => upgrade(options, request, { socket, head }));
  return server;
}

function answer(options: NodeListenerOptions, request: IncomingMessage, response: ServerResponse): void {
  const { sockets, proxy } = options;
  const isMedia = (request.url ?? '').startsWith(MEDIA);
  if (isMedia && isNode(options, request))
    proxy.pass(request, response, viewerOf(request), { socketPath: sockets.site });
  else response.writeHead(isMedia ? 403 : 404, { connection: 'close' }).end();
}

interface Upgraded {
  readonly socket: Duplex;
  readonly head: Buffer;
}

function upgrade(options: NodeListenerOptions, request: IncomingMessage, { socket, head }: Upgraded): void {
  const { sockets } = options;
  const { url = '' } = request;
  const onAnswer = (): undefined => undefined;
  const fingerprint = peerFingerprint(request.socket as TLSSocket);
  if (url === LINES_PATH && fingerprint !== null) {
    const headers = lineHeaders(request, fingerprint);
    passUpgrade(request, socket, head, { headers, dial: () => dialSocket(sockets.server), onAnswer });
  } else if (url === FEED_PATH && isNode(options, request)) void passFeed(socket, head, sockets.feed);
  else if (url.startsWith(MEDIA) && isNode(options, request)) {
    const headers = requestHeaders(request, viewerOf(request));
    passUpgrade(request, socket, head, { headers, dial: () => dialSocket(sockets.site), onAnswer });
  } else refuseUpgrade(socket, '403 Forbidden');
}

/** No header of the other end but those of its WebSocket. */
function lineHeaders(request: IncomingMessage, fingerprint: string): Record<string, string> {
  const headers: Record<string, string> = { host: 'node', 'x-vedette-node': fingerprint };
  for (const [name, value] of Object.entries(request.headers)) {
    if (name.startsWith('sec-websocket-') && typeof value === 'string') headers[name] = value;
  }
  return headers;
}

async function passFeed(socket: Duplex, head: Buffer, path: string): Promise<void> {
  const drop = (): void => void socket.destroy();
  socket.on('error', drop);
  try {
    const feed = await dialSocket(path);
    socket.write(FEED_ANSWER);
    if (head.length > 0) feed.write(head);
    const over = (): undefined => undefined;
    pipeline(feed, socket, over);
    pipeline(socket, feed, over);
  } catch {
    // The site is not there; whoever asked tries again when a viewer comes.
    refuseUpgrade(socket, '502 Bad Gateway');
  }
}

/** Its connection lasts for as long as the server lives. */
function isNode({ nodes, connections }: NodeListenerOptions, { socket }: IncomingMessage): boolean {
  const fingerprint = peerFingerprint(socket as TLSSocket);
  if (fingerprint === null || !nodes.has(fingerprint)) return false;
  connections.keep(socket, () => nodes.has(fingerprint));
  return true;
}

/** As the other gateway, which is ours too, saw it. */
function viewerOf({ headers }: IncomingMessage): Peer {
  return {
    address: String(headers['x-forwarded-for'] ?? ''),
    secure: headers['x-forwarded-proto'] === 'https',
    loopback: false,
    plainAllowed: true,
  };
}
