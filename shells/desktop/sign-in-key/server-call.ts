// Calls of the server by the shell itself: only to a server that an authority or the person of this machine vouched for.
import { type ClientRequest, request as plainRequest } from 'node:http';
import { Agent, request as secureRequest } from 'node:https';
import { text } from 'node:stream/consumers';
import type { TLSSocket } from 'node:tls';
import { judgeCertificate } from '../browser/server-certificate.ts';

export interface ServerAnswer {
  readonly code: number;
  readonly data: unknown;
}
/** Null: the server is away, not trusted, or answers something else. */
export type ServerCall = (path: string, input: object) => Promise<ServerAnswer | null>;

const TIMEOUT_MS = 5000;

/** `pin`: SHA-256 of the public key that was trusted, base64; null: none. */
export function serverCall(origin: string, pin: string | null): ServerCall {
  return (path, input) => {
    const url = new URL(`/api/v1/${path}`, origin);
    const options = { method: 'POST', timeout: TIMEOUT_MS, headers: { 'content-type': 'application/json' } };
    const body = JSON.stringify(input);
    if (url.protocol === 'http:') {
      const request = plainRequest(url, { ...options, agent: false });
      request.end(body);
      return answerOf(request);
    }
    const agent = new Agent({ maxCachedSessions: 0 });
    const request = secureRequest(url, { ...options, agent, rejectUnauthorized: false });
    // Nothing is sent before the certificate was judged.
    request.on('socket', (socket) =>
      socket.on('secureConnect', () => {
        if (judgeCertificate(socket as TLSSocket, pin).kind === 'ready') request.end(body);
        else request.destroy();
      }),
    );
    return answerOf(request);
  };
}

function answerOf(request: ClientRequest): Promise<ServerAnswer | null> {
  return new Promise((resolve) => {
    const away = (): void => resolve(null);
    request.on('response', (response) => {
      text(response).then((body) => resolve(parse(body)), away);
    });
    request.on('timeout', () => request.destroy());
    request.on('error', away);
    request.on('close', away);
  });
}

function parse(body: string): ServerAnswer | null {
  try {
    const value = JSON.parse(body) as Partial<ServerAnswer> | null;
    return typeof value?.code === 'number' ? { code: value.code, data: value.data } : null;
  } catch {
    return null;
  }
}
