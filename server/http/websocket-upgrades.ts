// Routes WebSocket upgrades: /ws to pages, /site to sites, /node to other servers; anything else is refused.
import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { foreignOrigin } from '@vedette/rules/foreign-origin.ts';
import type { ConnectionLimits } from '@vedette/rules/admission/connection-slots.ts';
import { type WebSocket, WebSocketServer } from 'ws';
import type { Clock } from '@vedette/foundation/time/clock.ts';
import type { SiteConnectionOrigin } from '../site-link/site-endpoint.ts';
import { NODE_MESSAGE_MAX_BYTES } from '../node-line/node-messages.ts';
import { Heartbeat } from './heartbeat.ts';
import { callerAddress } from './public-origin.ts';
import { withRequestDeadline } from '../database/request-deadline.ts';
import { SocketAdmission, type SocketSlot } from '../core/socket-admission.ts';

const PAGE_MESSAGE_MAX_BYTES = 16 * 1024;
const SITE_MESSAGE_MAX_BYTES = 16 * 1024 * 1024;
const HEARTBEAT_MS = 20_000;
/**
 * Places before authentication per address. Pages without a hello get a close code after 5 s and are cut half a second
 * later; an office behind one address reconnects at once.
 */
const PAGE_LIMITS: ConnectionLimits = {
  unauthenticated: 512,
  reserved: 512,
  perAddress: 128,
  withinMs: 5500,
  perAccount: 256,
  authenticated: 16_384,
};

export interface WebSocketUpgradeOptions {
  readonly server: Server;
  readonly clock: Clock;
  /** `foreignPage`: origin of a page of an app; null for our own pages and for programs. */
  readonly onPage: (socket: WebSocket, slot: SocketSlot, foreignPage: string | null) => void;
  /** Whether an app lists that origin: its pages may open `/ws` with a token of the app. */
  readonly isListedOrigin: (origin: string) => Promise<boolean>;
  readonly onSite: (socket: WebSocket, origin: SiteConnectionOrigin) => void;
  /** Connections of remote sites. */
  readonly siteSockets: SocketAdmission;
  /** Null where this server has no lines to others. */
  readonly nodes: NodeGate | null;
}

export interface NodeGate {
  /** The server that has this certificate; null: it is refused. */
  readonly admit: (fingerprint: string) => string | null;
  readonly accept: (socket: WebSocket, nodeId: string) => void;
}

/** Set by the gateway on what comes to the port between servers, and taken off whatever comes to the public one. */
const NODE_HEADER = 'x-vedette-node';

/** A direct connection to the socket is the local process, which is trusted. */
const INSIDE: SocketSlot = { extend: () => undefined, assignTo: () => true };

/** Returns the function that closes all sockets. */
export function acceptWebSocketUpgrades(options: WebSocketUpgradeOptions): () => void {
  const pages = new WebSocketServer({ noServer: true, maxPayload: PAGE_MESSAGE_MAX_BYTES, perMessageDeflate: false });
  const sites = new WebSocketServer({ noServer: true, maxPayload: SITE_MESSAGE_MAX_BYTES, perMessageDeflate: false });
  const nodes = new WebSocketServer({ noServer: true, maxPayload: NODE_MESSAGE_MAX_BYTES, perMessageDeflate: false });
  const heartbeat = new Heartbeat({ clock: options.clock, everyMs: HEARTBEAT_MS });
  const taking = (take: (socket: WebSocket) => void) => (socket: WebSocket) => {
    heartbeat.watch(socket);
    take(socket);
  };
  const pageSockets = new SocketAdmission({ clock: options.clock, limits: PAGE_LIMITS });
  const takePage = ({ request, socket, head }: Upgrade, foreignPage: string | null) => {
    const slot = pageSockets.admit(socket, callerAddress(request.headers));
    const onPage = taking((page) => options.onPage(page, slot, foreignPage));
    pages.handleUpgrade(request, socket, head, onPage);
    slot.count(head);
  };
  const takeNode = ({ request, socket, head }: Upgrade) => {
    const nodeId = options.nodes?.admit(String(request.headers[NODE_HEADER] ?? '')) ?? null;
    if (nodeId === null) refuse(socket, '403 Forbidden');
    else nodes.handleUpgrade(request, socket, head, (line) => options.nodes?.accept(line, nodeId));
  };
  options.server.on('upgrade', (request, socket, head) => {
    const path = (request.url ?? '').split('?')[0];
    const address = callerAddress(request.headers);
    const page = foreignOrigin(request.headers);
    if (path === '/ws' && page === null) {
      takePage({ request, socket, head }, null);
    } else if (path === '/ws' && page !== null) {
      void admitForeignPage({ request, socket, head }, () => options.isListedOrigin(page)).then((isAdmitted) => {
        if (isAdmitted) takePage({ request, socket, head }, page);
      });
    } else if (path === '/site' && isInside(request)) {
      const onSite = taking((site) => options.onSite(site, { isInside: true, address, slot: INSIDE }));
      sites.handleUpgrade(request, socket, head, onSite);
    } else if (path === '/site' && mayBeRemoteSite(request)) {
      const slot = options.siteSockets.admit(socket, address);
      const onSite = taking((site) => options.onSite(site, { isInside: false, address, slot }));
      sites.handleUpgrade(request, socket, head, onSite);
      slot.count(head);
    } else if (path === '/node') {
      takeNode({ request, socket, head });
    } else {
      refuse(socket, '404 Not Found');
    }
  });
  return () => {
    heartbeat.close();
    pages.close();
    sites.close();
    nodes.close();
  };
}

interface Upgrade {
  readonly request: IncomingMessage;
  readonly socket: Duplex;
  readonly head: Buffer;
}

/** Refused here unless an app lists the page's origin; nothing is read from it meanwhile. */
async function admitForeignPage({ socket }: Upgrade, isListed: () => Promise<boolean>): Promise<boolean> {
  const onError = (): void => {
    socket.destroy();
  };
  socket.on('error', onError);
  const status = await withRequestDeadline(isListed).then(
    (isAdmitted) => (isAdmitted ? null : '403 Forbidden'),
    () => '503 Service Unavailable',
  );
  if (status !== null) refuse(socket, status);
  socket.off('error', onError);
  return status === null && !socket.destroyed;
}

/** The local site dials the socket directly; connections through the gateway are from outside. */
function isInside({ headers }: IncomingMessage): boolean {
  return headers['x-forwarded-for'] === undefined && headers['x-vedette-loopback'] === undefined;
}

/** No site is a browser, and a remote one sends its credential only over TLS. */
function mayBeRemoteSite({ headers }: IncomingMessage): boolean {
  return headers.origin === undefined && headers['x-forwarded-proto'] === 'https';
}

/** The client may be gone already: without a listener the failing write would end the process. */
function refuse(socket: Duplex, status: string): void {
  socket.on('error', () => socket.destroy());
  socket.end(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
}
