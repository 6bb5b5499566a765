// Hands WebSocket upgrades to their owners: /ws for pages, /site for sites; everything else is refused.
import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { isForeignOrigin } from '@vedette/rules/foreign-origin.ts';
import { type WebSocket, WebSocketServer } from 'ws';
import type { Clock } from '../clock/clock.ts';
import type { SiteVisit } from '../site-link/site-door.ts';
import { Heartbeat } from './heartbeat.ts';
import { callerAddress } from './public-origin.ts';

const PAGE_MESSAGE_MAX_BYTES = 16 * 1024;
const SITE_MESSAGE_MAX_BYTES = 16 * 1024 * 1024;
const HEARTBEAT_MS = 20_000;

export interface UpgradeOptions {
  readonly server: Server;
  readonly clock: Clock;
  readonly onPage: (socket: WebSocket) => void;
  readonly onSite: (socket: WebSocket, visit: SiteVisit) => void;
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
    } else if (path === '/site' && mayBeSite(request)) {
      const visit = visitOf(request);
      sites.handleUpgrade(
        request,
        socket,
        head,
        taking((site) => options.onSite(site, visit)),
      );
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

/** The site beside us dials the socket itself; what comes through the front is from outside. */
function visitOf({ headers }: IncomingMessage): SiteVisit {
  const isInside = headers['x-forwarded-for'] === undefined && headers['x-vedette-loopback'] === undefined;
  return { isInside, address: callerAddress(headers) };
}

/** No site is a browser, and a far one brings its credential over TLS alone. */
function mayBeSite(request: IncomingMessage): boolean {
  const { origin, 'x-forwarded-proto': scheme } = request.headers;
  return origin === undefined && (visitOf(request).isInside || scheme === 'https');
}

/** Whoever asked may be gone already: without a listener the failing write would end the process. */
function refuse(socket: Duplex, status: string): void {
  socket.on('error', () => socket.destroy());
  socket.end(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
}
