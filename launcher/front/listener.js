// The one TCP port: the first byte tells TLS from plain HTTP, both are served by the same HTTP server.

import http from 'node:http';
import tls from 'node:tls';
import { ConnectionPlaces } from './connection-places.js';
import { createRoundRobinQueue } from './round-robin-queue.js';
import { addressKey } from './peer.js';

const tlsHandshake = 0x16;
const firstByteMs = 10_000;
const limits = {
  maxHeaderSize: 16 * 1024,
  headersTimeout: 10_000,
  // Bodies have limits of their own, by what they bring.
  requestTimeout: 0,
  keepAliveTimeout: 65_000,
  connectionsCheckingInterval: 2_000,
};
const mostConnections = 20_000;
/** A handshake takes a millisecond or two; media of those who watch passes between two turns. */
const begunPerTurn = 2;

/**
 * @param {{ secureContext: () => import('node:tls').SecureContextOptions, isProxy: (address: string) => boolean }} options
 */
export function createListener({ secureContext, isProxy }) {
  const server = http.createServer({
    ...limits,
    noDelay: true,
    keepAlive: true,
    keepAliveInitialDelay: 30_000,
    requireHostHeader: true,
  });
  server.maxHeadersCount = 100;
  server.maxConnections = mostConnections;
  const [serveHttp] = /** @type {((socket: import('node:net').Socket) => void)[]} */ (server.listeners('connection'));
  server.removeAllListeners('connection');

  const secure = tls.createServer({
    ...secureContext(),
    ALPNProtocols: ['http/1.1'],
    minVersion: 'TLSv1.2',
    handshakeTimeout: 10_000,
  });
  const places = new ConnectionPlaces();
  const begin = createRoundRobinQueue({ perTurn: begunPerTurn });
  secure.on('secureConnection', (socket) => {
    places.secured(socket);
    serveHttp?.call(server, socket);
  });
  secure.on('tlsClientError', (_error, socket) => socket.destroy());

  server.on('request', (request, response) => places.asked(request, response));
  server.on('upgrade', ({ socket }) => places.upgrading(socket));
  server.on('connection', (/** @type {import('node:net').Socket} */ socket) => {
    const drop = () => socket.destroy();
    const address = socket.remoteAddress ?? '';
    const key = addressKey(address);
    places.opened(socket, key, isProxy(address));
    socket.setTimeout(firstByteMs, drop);
    socket.on('error', drop);
    socket.once('data', (/** @type {Buffer} */ first) => {
      socket.pause();
      socket.unshift(first);
      begin(key, () => {
        if (socket.destroyed) return;
        socket.setTimeout(0);
        socket.removeListener('timeout', drop);
        if (first[0] === tlsHandshake) secure.emit('connection', socket);
        else serveHttp?.call(server, socket);
        process.nextTick(() => socket.resume());
      });
    });
  });
  server.on('clientError', answerClientError);
  return {
    server,
    reload: () => secure.setSecureContext(secureContext()),
    /** Who is behind a WebSocket is counted by whoever answered it. */
    known: (/** @type {import('node:stream').Duplex} */ socket) => places.left(socket),
  };
}

/**
 * @param {Error & { code?: string }} error
 * @param {import('node:stream').Duplex} socket
 */
function answerClientError(error, socket) {
  const status =
    error.code === 'HPE_HEADER_OVERFLOW'
      ? '431 Request Header Fields Too Large'
      : error.code === 'ERR_HTTP_REQUEST_TIMEOUT'
        ? '408 Request Timeout'
        : '400 Bad Request';
  if (!socket.writable) socket.destroy();
  else socket.end(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`, () => socket.destroy());
}
