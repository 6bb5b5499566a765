// The requests of a WHIP client (RFC 9725): an offer for an answer, and the end of the session; the token goes to the host that it was given for, and to no other.
import { type IncomingMessage, request as sendRequest } from 'node:http';
import type { Duplex } from 'node:stream';
import { PushFault, type PushReason } from './push-fault.ts';

export interface WhipHttpOptions {
  readonly endpoint: URL;
  /** Empty: the endpoint asks for none. */
  readonly token: string;
  /** Under the network policy. Rejects with PushFault, or with the reason of the signal. */
  readonly dial: (place: WhipPlace, signal: AbortSignal) => Promise<Duplex>;
}

export interface WhipPlace {
  readonly host: string;
  readonly port: number;
  readonly isSecure: boolean;
}

export interface WhipAnswer {
  readonly sdp: string;
  /** What ends the session; null: the server named nothing. */
  readonly resource: URL | null;
}

const REDIRECTS_MAX = 3;
const ANSWER_MAX_BYTES = 64 * 1024;
const SDP = 'application/sdp';
/** These alone keep the method and the body. */
const REDIRECTS: ReadonlySet<number> = new Set([307, 308]);

export class WhipHttp {
  readonly #options: WhipHttpOptions;

  constructor(options: WhipHttpOptions) {
    this.#options = options;
  }

  /** Rejects with PushFault, or with the reason of the signal. */
  async offer(offer: string, signal: AbortSignal): Promise<WhipAnswer> {
    let url = this.#options.endpoint;
    for (let redirects = 0; redirects <= REDIRECTS_MAX; redirects += 1) {
      const { status, location, contentType, body } = await this.#send('POST', url, { body: offer, signal });
      const next = location === null || !URL.canParse(location, url.href) ? null : new URL(location, url);
      if (!REDIRECTS.has(status)) {
        if (status !== 201) throw new PushFault(reasonOf(status), `answered with ${status}`);
        if (!contentType.startsWith(SDP)) throw new PushFault('answer', 'the answer is no session description');
        return { sdp: body, resource: next };
      }
      if (next === null || !isAsSafe(url, next)) throw new PushFault('redirected', 'sent on to where we do not go');
      url = next;
    }
    throw new PushFault('redirected', 'sent on too often');
  }

  /** Rejects as `offer` does. */
  async end(resource: URL, signal: AbortSignal): Promise<void> {
    await this.#send('DELETE', resource, { body: '', signal });
  }

  async #send(method: 'POST' | 'DELETE', url: URL, { body, signal }: Sent): Promise<Received> {
    const isSecure = url.protocol === 'https:';
    const port = url.port === '' ? (isSecure ? 443 : 80) : Number(url.port);
    const socket = await this.#options.dial({ host: url.hostname, port, isSecure }, signal);
    const { endpoint, token } = this.#options;
    const headers = {
      host: url.host,
      connection: 'close',
      ...(method === 'POST' && { 'content-type': SDP, accept: SDP }),
      'content-length': Buffer.byteLength(body),
      ...(token !== '' && url.origin === endpoint.origin && { authorization: `Bearer ${token}` }),
    };
    try {
      return await exchange(socket, { method, path: `${url.pathname}${url.search}`, headers, signal }, body);
    } catch (error) {
      signal.throwIfAborted();
      throw faultOf(error);
    } finally {
      socket.destroy();
    }
  }
}

interface Sent {
  readonly body: string;
  readonly signal: AbortSignal;
}

interface Received {
  readonly status: number;
  readonly location: string | null;
  readonly contentType: string;
  readonly body: string;
}

interface Head {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string | number>>;
  readonly signal: AbortSignal;
}

function exchange(socket: Duplex, head: Head, body: string): Promise<Received> {
  return new Promise((resolve, reject) => {
    const sent = sendRequest({ ...head, createConnection: () => socket }, (answer) => {
      received(answer).then(resolve, reject);
    });
    sent.on('error', reject);
    sent.end(body);
  });
}

async function received(answer: IncomingMessage): Promise<Received> {
  const pieces: Buffer[] = [];
  let bytes = 0;
  for await (const piece of answer as AsyncIterable<Buffer>) {
    bytes += piece.length;
    if (bytes > ANSWER_MAX_BYTES) throw new PushFault('answer', 'its answer is too long');
    pieces.push(piece);
  }
  const { location = null, 'content-type': contentType = '' } = answer.headers;
  return { status: answer.statusCode ?? 0, location, contentType, body: Buffer.concat(pieces).toString('utf8') };
}

function faultOf(error: unknown): PushFault {
  if (error instanceof PushFault) return error;
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return new PushFault(code.startsWith('HPE_') ? 'answer' : 'closed', 'the exchange failed', { cause: error });
}

function reasonOf(status: number): PushReason {
  if (status === 401 || status === 403) return 'credentials';
  if (status >= 300 && status < 400) return 'redirected';
  return status >= 400 ? 'refused' : 'answer';
}

/** Never from TLS to a connection that everyone can read. */
function isAsSafe(from: URL, to: URL): boolean {
  return to.protocol === 'https:' || (to.protocol === 'http:' && from.protocol === 'http:');
}
