// The one TCP port: the first byte tells TLS from plain HTTP, both are served by the same HTTP server.
import http from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import tls from 'node:tls';
import { addressKey } from '@vedette/rules/admission/address-key.ts';
import { ConnectionPlaces } from './connection-places.ts';
import { createRoundRobinQueue } from './round-robin-queue.ts';

const TLS_HANDSHAKE = 0x16;
const FIRST_BYTE_MS = 10_000;
const LIMITS = {
  maxHeaderSize: 16 * 1024,
  headersTimeout: 10_000,
  // Bodies have limits of their own, by what they bring.
  requestTimeout: 0,
  keepAliveTimeout: 65_000,
  connectionsCheckingInterval: 2_000,
};
const CONNECTIONS_MAX = 20_000;
/** A handshake takes a millisecond or two; media of those who watch passes between two turns. */
const BEGUN_PER_TURN = 2;

export interface ListenerOptions {
  /** Read again with `reload`. */
  readonly secureContext: () => tls.SecureContextOptions;
  readonly isProxy: (address: string) => boolean;
  /** A connection was closed. */
  readonly onLeft: () => void;
}

export interface Listener {
  readonly server: http.Server;
  /** New connections get the certificate that is there now; open ones go on with theirs. */
  reload(): void;
  /** Who is behind a WebSocket is counted by whoever answered it. */
  known(socket: Duplex): void;
}

export function createListener({ secureContext, isProxy, onLeft }: ListenerOptions): Listener {
  const server = http.createServer({
    ...LIMITS,
    noDelay: true,
    keepAlive: true,
    keepAliveInitialDelay: 30_000,
    requireHostHeader: true,
  });
  server.maxHeadersCount = 100;
  server.maxConnections = CONNECTIONS_MAX;
  const [serve] = server.listeners('connection') as ((socket: Socket) => void)[];
  const serveHttp = (socket: Socket): void => serve?.call(server, socket);
  server.removeAllListeners('connection');

  const secure = createSecureServer(secureContext());
  const places = new ConnectionPlaces();
  const begin = createRoundRobinQueue({ perTurn: BEGUN_PER_TURN });
  secure.on('secureConnection', (socket) => {
    places.secured(socket);
    serveHttp(socket);
  });
  server.on('request', (request, response) => places.asked(request, response));
  server.on('upgrade', ({ socket }) => places.upgrading(socket));
  server.on('connection', (socket) => {
    const drop = (): void => void socket.destroy();
    const address = socket.remoteAddress ?? '';
    const key = addressKey(address);
    places.opened(socket, key, isProxy(address));
    socket.setTimeout(FIRST_BYTE_MS, drop);
    socket.on('error', drop);
    socket.once('close', onLeft);
    socket.once('data', (first: Buffer) => {
      socket.pause();
      socket.unshift(first);
      begin(key, () => {
        if (socket.destroyed) return;
        socket.setTimeout(0);
        socket.removeListener('timeout', drop);
        if (first[0] === TLS_HANDSHAKE) secure.emit('connection', socket);
        else serveHttp(socket);
        process.nextTick(() => socket.resume());
      });
    });
  });
  server.on('clientError', answerClientError);
  return {
    server,
    reload: () => secure.setSecureContext(secureContext()),
    known: (socket) => places.left(socket),
  };
}

/** It never listens itself: connections are handed to it. */
function createSecureServer(context: tls.SecureContextOptions): tls.Server {
  const secure = tls.createServer({
    ...context,
    ALPNProtocols: ['http/1.1'],
    minVersion: 'TLSv1.2',
    handshakeTimeout: 10_000,
  });
  secure.on('tlsClientError', (_error, socket) => socket.destroy());
  return secure;
}

function answerClientError({ code }: Error & { code?: string }, socket: Duplex): void {
  const status =
    code === 'HPE_HEADER_OVERFLOW'
      ? '431 Request Header Fields Too Large'
      : code === 'ERR_HTTP_REQUEST_TIMEOUT'
        ? '408 Request Timeout'
        : '400 Bad Request';
  if (!socket.writable) socket.destroy();
  else socket.end(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`, () => socket.destroy());
}
