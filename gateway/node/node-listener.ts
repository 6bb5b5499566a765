// The port between servers of one database: TLS with a certificate on both ends, whose fingerprint the server judges.
import https from 'node:https';
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import type { SecureContextOptions, TLSSocket } from 'node:tls';
import { refuseUpgrade } from '@vedette/media/live/refuse-upgrade.ts';
import { passUpgrade } from '../forwarding/upgrade.ts';

export interface NodeListenerOptions {
  readonly secureContext: SecureContextOptions;
  /** Socket of the server. */
  readonly socketPath: string;
}

const LINES_PATH = '/node';
const LIMITS = { maxHeaderSize: 16 * 1024, headersTimeout: 10_000, requestTimeout: 10_000, handshakeTimeout: 10_000 };
/** A line or two from each of the other servers, and media of what they show. */
const CONNECTIONS_MAX = 2000;

/**
 * Nothing is passed on but lines between servers, and no header of the other end except those of its WebSocket. Media of a site that is
 * connected here would be served at the same port, to the certificates whose lines the server accepted.
 */
export function createNodeListener({ secureContext, socketPath }: NodeListenerOptions): https.Server {
  const server = https.createServer({
    ...secureContext,
    ...LIMITS,
    ALPNProtocols: ['http/1.1'],
    minVersion: 'TLSv1.3',
    requestCert: true,
    // There is no authority: the server knows each certificate by its fingerprint.
    rejectUnauthorized: false,
  });
  server.maxConnections = CONNECTIONS_MAX;
  server.on('tlsClientError', (_error, socket) => socket.destroy());
  server.on('clientError', (_error, socket) => socket.destroy());
  server.on('request', (_request, response) => response.writeHead(404, { connection: 'close' }).end());
  server.on('upgrade', (request, socket, head) => pass(request, socket, head, socketPath));
  return server;
}

function pass(request: IncomingMessage, socket: Duplex, head: Buffer, socketPath: string): void {
  const fingerprint = fingerprintOf(request.socket as TLSSocket);
  if (request.url !== LINES_PATH || fingerprint === null) {
    refuseUpgrade(socket, '403 Forbidden');
    return;
  }
  const headers: Record<string, string> = { host: 'node', 'x-vedette-node': fingerprint };
  for (const [name, value] of Object.entries(request.headers)) {
    if (name.startsWith('sec-websocket-') && typeof value === 'string') headers[name] = value;
  }
  passUpgrade(request, socket, head, { headers, socketPath, onAnswer: () => undefined });
}

/** Its key was proven in the handshake. Null without a certificate. */
function fingerprintOf(socket: TLSSocket): string | null {
  const { fingerprint256 } = socket.getPeerCertificate();
  return fingerprint256 === undefined ? null : fingerprint256.replaceAll(':', '').toLowerCase();
}
