// Asks whether the server answers, and whether its certificate is one that an authority or the person of this machine vouched for.
import { createHash, X509Certificate } from 'node:crypto';
import { get as plainGet } from 'node:http';
import { Agent, get as secureGet } from 'node:https';
import type { TLSSocket } from 'node:tls';

export type ServerState =
  | { readonly kind: 'away' }
  | { readonly kind: 'ready' }
  /** `pin`: SHA-256 of its public key, base64. */
  | { readonly kind: 'untrusted'; readonly pin: string };

const TIMEOUT_MS = 5000;

/** `pin`: what was trusted before; null: nothing. Sends nothing but a request for `/healthz`. */
export function askServer(origin: string, pin: string | null): Promise<ServerState> {
  const url = new URL('/healthz', origin);
  return new Promise((resolve) => {
    const away = (): void => resolve({ kind: 'away' });
    const request =
      url.protocol === 'http:'
        ? plainGet(url, { timeout: TIMEOUT_MS, agent: false })
        : // The certificate is judged below, before anything is believed.
          secureGet(url, {
            timeout: TIMEOUT_MS,
            rejectUnauthorized: false,
            agent: new Agent({ maxCachedSessions: 0 }),
          });
    request.on('response', (response) => {
      response.resume();
      resolve(url.protocol === 'http:' ? { kind: 'ready' } : judgeCertificate(response.socket as TLSSocket, pin));
    });
    request.on('timeout', () => request.destroy());
    request.on('error', away);
    request.on('close', away);
  });
}

export function judgeCertificate(socket: TLSSocket, pin: string | null): ServerState {
  const { raw } = socket.getPeerCertificate();
  const key = new X509Certificate(raw).publicKey.export({ type: 'spki', format: 'der' });
  const ownPin = createHash('sha256').update(key).digest('base64');
  return socket.authorized || ownPin === pin ? { kind: 'ready' } : { kind: 'untrusted', pin: ownPin };
}
