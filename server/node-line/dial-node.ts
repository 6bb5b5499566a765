// Dials another server: TLS with a certificate on both ends, of which exactly the one in its row is accepted, then a WebSocket.
import { connect, type TLSSocket } from 'node:tls';
import { WebSocket } from 'ws';
import { NODE_MESSAGE_MAX_BYTES } from './node-messages.ts';

/** The own certificate and key, PEM. */
export interface NodeIdentity {
  readonly cert: string;
  readonly key: string;
}

export interface NodePlace {
  /** host:port */
  readonly address: string;
  /** SHA-256 of its certificate, lower-case hex. */
  readonly fingerprint: string;
}

/** Something else answers at the address, or a server of another installation. */
export class ForeignServer extends Error {
  override readonly name = 'ForeignServer';
}

/** The server does not take this one's certificate: for it, this one is not among those of its database. */
export class NodeRefused extends Error {
  override readonly name = 'NodeRefused';
}

const DIAL_WITHIN_MS = 5000;

/** Rejects with ForeignServer, NodeRefused, or what the network says. Nothing is sent before the certificate was compared. */
export async function dialNode(place: NodePlace, own: NodeIdentity): Promise<WebSocket> {
  const socket = await secured(place, own);
  const opened = new WebSocket(`ws://${place.address}/node`, {
    createConnection: () => socket,
    perMessageDeflate: false,
    maxPayload: NODE_MESSAGE_MAX_BYTES,
    handshakeTimeout: DIAL_WITHIN_MS,
  });
  const { promise, resolve, reject } = Promise.withResolvers<WebSocket>();
  opened.once('error', reject);
  opened.once('unexpected-response', (_request, { statusCode }) => {
    socket.destroy();
    reject(new NodeRefused(`the server at ${place.address} answered ${statusCode}`));
  });
  opened.once('open', () => {
    opened.off('error', reject);
    resolve(opened);
  });
  return await promise;
}

async function secured({ address, fingerprint }: NodePlace, { cert, key }: NodeIdentity): Promise<TLSSocket> {
  const { hostname, port } = new URL(`tcp://${address}`);
  const socket = connect({
    host: hostname.replace(/^\[(.*)\]$/u, '$1'),
    port: Number(port),
    cert,
    key,
    minVersion: 'TLSv1.3',
    ALPNProtocols: ['http/1.1'],
    // By its fingerprint alone: no authority, and nothing that expires.
    rejectUnauthorized: false,
  });
  const { promise, resolve, reject } = Promise.withResolvers<TLSSocket>();
  socket.setTimeout(DIAL_WITHIN_MS, () => socket.destroy(new Error(`${address} does not answer`)));
  socket.once('error', reject);
  socket.once('close', () => reject(new Error(`${address} closed the connection`)));
  socket.once('secureConnect', () => {
    const shown = fingerprintOf(socket);
    if (shown !== fingerprint) {
      socket.destroy();
      reject(new ForeignServer(`at ${address} answers what is no server of this database`));
      return;
    }
    socket.setTimeout(0);
    socket.off('error', reject);
    resolve(socket);
  });
  return await promise;
}

function fingerprintOf(socket: TLSSocket): string {
  return (socket.getPeerCertificate().fingerprint256 ?? '').replaceAll(':', '').toLowerCase();
}
