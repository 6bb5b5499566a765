// Opens WebSockets over TLS from a remote site to its server, verified against the pinned authority or the system's.
import { X509Certificate } from 'node:crypto';
import { request } from 'node:https';
import { WebSocket } from 'ws';
import type { Enrolled, EnrolmentParameters } from './enrolment.ts';

const HANDSHAKE_MS = 10_000;
const AUTHORITY_MAX_BYTES = 64 * 1024;

export interface ServerSocketOptions {
  readonly path: string;
  readonly maxPayload: number;
  readonly headers?: Readonly<Record<string, string>>;
}

export function openServerSocket(
  { server, authority }: Enrolled,
  { path, maxPayload, headers = {} }: ServerSocketOptions,
): WebSocket {
  return new WebSocket(`${server.replace(/^https/, 'wss')}${path}`, {
    perMessageDeflate: false,
    maxPayload,
    headers,
    handshakeTimeout: HANDSHAKE_MS,
    rejectUnauthorized: true,
    // Any host name is accepted: the authority belongs to this installation and signs only for it.
    ...(authority !== null && { ca: authority, checkServerIdentity: () => undefined }),
  });
}

/** Fetches the server's authority and compares its fingerprint with the expected one; null if the server has none of its own. */
export async function fetchAuthority({ server, authority }: EnrolmentParameters): Promise<string | null> {
  const pem = await fetchUnchecked(`${server}/ca.pem`);
  if (pem === null) return null;
  const found = new X509Certificate(pem).fingerprint256.replaceAll(':', '').toLowerCase();
  if (found !== authority.replaceAll(':', '').toLowerCase()) {
    throw new Error('the server shows another authority than the one that was given: is it the right server?');
  }
  return pem;
}

/** Nothing is trusted before the fingerprint was compared. */
function fetchUnchecked(address: string): Promise<string | null> {
  const { promise, resolve, reject } = Promise.withResolvers<string | null>();
  const asked = request(address, { rejectUnauthorized: false, timeout: HANDSHAKE_MS }, (answer) => {
    const pieces: Buffer[] = [];
    let bytes = 0;
    answer.on('data', (piece: Buffer) => {
      bytes += piece.length;
      pieces.push(piece);
      if (bytes > AUTHORITY_MAX_BYTES) asked.destroy(new Error('that is no certificate'));
    });
    answer.on('end', () => resolve(answer.statusCode === 200 ? Buffer.concat(pieces).toString('utf8') : null));
    answer.on('error', reject);
  });
  asked.on('timeout', () => asked.destroy(new Error('the server did not answer in time')));
  asked.on('error', reject);
  asked.end();
  return promise;
}
