// Hands WebSocket upgrades to their owners: /ws for pages, /site for our own site; everything else is refused.
import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { isForeignOrigin } from '@vedette/rules/foreign-origin.ts';
import { type WebSocket, WebSocketServer } from 'ws';
import type { Clock } from '../clock/clock.ts';
import { Heartbeat } from './heartbeat.ts';

const PAGE_MESSAGE_MAX_BYTES = 16 * 1024;
const SITE_MESSAGE_MAX_BYTES = 16 * 1024 * 1024;
const HEARTBEAT_MS = 20_000;

export interface UpgradeOptions {
  readonly server: Server;
  readonly clock: Clock;
  readonly onPage: (socket: WebSocket) => void;
  readonly onSite: (socket: WebSocket) => void;
}

/** Answers how to close all sockets. */
export function acceptUpgrades(options: UpgradeOptions): () => void {
  const pages = new WebSocketServer({ noServer: true, maxPayload: PAGE_MESSAGE_MAX_BYTES, perMessageDeflate: false });
  const sites = new WebSocketServer({ noServer: true, maxPayload: SITE_MESSAGE_MAX_BYTES, perMessageDeflate: false });
  const heartbeat = new Heartbeat({ clock: options.clock, everyMs: HEARTBEAT_MS });
  const taking = (take: (socket: WebSocket) => void) => (socket: WebSocket) => {
    heartbeat.watch(socket);
    take(socket);
  };
  options.server.on('upgrade', (request, socket, head) => {
    const path = (request.url ?? '').split('?')[0];
    if (path === '/ws' && !isForeignOrigin(request.headers)) {
      pages.handleUpgrade(request, socket, head, taking(options.onPage));
    } else if (path === '/site' && isLocal(request)) {
      sites.handleUpgrade(request, socket, head, taking(options.onSite));
    } else {
      refuse(socket, path === '/ws' ? '403 Forbidden' : '404 Not Found');
    }
  });
  return () => {
    heartbeat.close();
    pages.close();
    sites.close();
  };
}

/** The site dials the socket itself; what comes through the front is from outside. */
function isLocal(request: IncomingMessage): boolean {
  return request.headers['x-forwarded-for'] === undefined && request.headers['x-vedette-loopback'] === undefined;
}

/** Whoever asked may be gone already: without a listener the failing write would end the process. */
function refuse(socket: Duplex, status: string): void {
  socket.on('error', () => socket.destroy());
  socket.end(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
}
