// Dials another server: TLS with a certificate on both ends, of which exactly the one in its row is accepted, then a WebSocket.
import { dialPinned, type PinnedPlace, type TlsIdentity } from '@vedette/foundation/network/pinned-tls.ts';
import { WebSocket } from 'ws';
import { NODE_MESSAGE_MAX_BYTES } from './node-messages.ts';

/** The server does not take this one's certificate: for it, this one is not among those of its database. */
export class NodeRefused extends Error {
  override readonly name = 'NodeRefused';
}

const OPEN_WITHIN_MS = 5000;

/** Rejects with ForeignCertificate, NodeRefused, or what the network says. Nothing is sent before the certificate was compared. */
export async function dialNode(place: PinnedPlace, own: TlsIdentity): Promise<WebSocket> {
  const socket = await dialPinned(place, own);
  const opened = new WebSocket(`ws://${place.address}/node`, {
    createConnection: () => socket,
    perMessageDeflate: false,
    maxPayload: NODE_MESSAGE_MAX_BYTES,
    handshakeTimeout: OPEN_WITHIN_MS,
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
