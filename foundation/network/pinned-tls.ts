// TLS with a certificate on both ends, of which exactly the expected one is accepted: by its fingerprint, without an authority and without anything that expires.
import { connect, type TLSSocket } from 'node:tls';

/** The own certificate and key, PEM. */
export interface TlsIdentity {
  readonly cert: string;
  readonly key: string;
}

export interface PinnedPlace {
  /** host:port, the host numeric. */
  readonly address: string;
  /** SHA-256 of its certificate, lower-case hex. */
  readonly fingerprint: string;
}

/** Something else answers at the address. */
export class ForeignCertificate extends Error {
  override readonly name = 'ForeignCertificate';
}

const DIAL_WITHIN_MS = 5000;

/** Rejects with ForeignCertificate, or what the network says. Nothing is sent before the certificate was compared. */
export async function dialPinned({ address, fingerprint }: PinnedPlace, own: TlsIdentity): Promise<TLSSocket> {
  const { hostname, port } = new URL(`tcp://${address}`);
  const socket = connect({
    host: hostname.replace(/^\[(.*)\]$/u, '$1'),
    port: Number(port),
    cert: own.cert,
    key: own.key,
    minVersion: 'TLSv1.3',
    ALPNProtocols: ['http/1.1'],
    // By its fingerprint alone.
    rejectUnauthorized: false,
  });
  const { promise, resolve, reject } = Promise.withResolvers<TLSSocket>();
  socket.setTimeout(DIAL_WITHIN_MS, () => socket.destroy(new Error(`${address} does not answer`)));
  socket.once('error', reject);
  socket.once('close', () => reject(new Error(`${address} closed the connection`)));
  socket.once('secureConnect', () => {
    if (peerFingerprint(socket) !== fingerprint) {
      socket.destroy();
      reject(new ForeignCertificate(`at ${address} answers somebody else`));
      return;
    }
    socket.setTimeout(0);
    socket.setNoDelay(true);
    socket.off('error', reject);
    resolve(socket);
  });
  return await promise;
}

/** Its key was proven in the handshake. Null without a certificate. */
export function peerFingerprint(socket: TLSSocket): string | null {
  const { fingerprint256 } = socket.getPeerCertificate();
  return fingerprint256 === undefined ? null : fingerprint256.replaceAll(':', '').toLowerCase();
}
