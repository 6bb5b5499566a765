// Outbound HTTP and TCP client of the server: dials under the network policy for messages; follows no redirects.
import { type IncomingMessage, request as sendRequest } from 'node:http';
import type { Socket } from 'node:net';
import { AddressRefused, dial, type DialTarget, NameNotResolved } from '@vedette/foundation/network/dial.ts';
import { NameLookups } from '@vedette/foundation/network/name-lookups.ts';
import { type MessageAccess, messagePolicy } from './message-policy.ts';
import { NO_ANSWER, OutboundError, outboundFault, TOO_LARGE } from './outbound-fault.ts';

export interface OutboundRequest {
  readonly method: 'GET' | 'POST' | 'PUT';
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Buffer;
}

export interface OutboundAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | undefined>>;
  /** As far as it was read. */
  readonly text: string;
}

/** Who named what is dialled. */
export interface Requester {
  readonly isOperator: boolean;
  /** Null: the installation itself. */
  readonly accountId: string | null;
  /** Asked once the connection is open, before anything is said over it: what it throws ends the request. */
  readonly beforeSending?: (() => void) | undefined;
}

/** For what the operator has set for all. */
export const INSTALLATION: Requester = { isOperator: true, accountId: null };

const WITHIN_MS = 10_000;
const ANSWER_BYTES = 16 * 1024;
/** Of everything that comes over one connection: interim answers, headers and trailers have no end of their own. */
const HEARD_BYTES = 256 * 1024;

interface AnswerLimit {
  readonly bytes: number;
  /** What is beyond is left out; else the answer is refused. */
  readonly isCut: boolean;
}

/** Of this process, whose pool has eight threads (launcher/installation/server-runtime.js). */
const lookups = new NameLookups({ places: 4, slowPlaces: 2 });
/** Owner of what the operator has set for all; no account has such an id. */
const INSTALLATION_OWNER = '';

export class OutboundClient {
  readonly #access: (isOperator: boolean) => Promise<MessageAccess>;
  readonly #withinMs: number;
  readonly #most: AnswerLimit;

  /** `withinMs`: from the look-up of the name to the end of the answer. `wholeBytes`: answers that are larger are refused; absent: they are cut. */
  constructor(options: {
    readonly policy: (isOperator: boolean) => Promise<MessageAccess>;
    readonly withinMs?: number;
    readonly wholeBytes?: number;
  }) {
    this.#access = options.policy;
    this.#withinMs = options.withinMs ?? WITHIN_MS;
    this.#most = { bytes: options.wholeBytes ?? ANSWER_BYTES, isCut: options.wholeBytes === undefined };
  }

  /** Aborts when a message that begins now has taken too long. */
  deadline(): AbortSignal {
    return AbortSignal.timeout(this.#withinMs);
  }

  /** Throws OutboundError. */
  async http(request: OutboundRequest, requester: Requester): Promise<OutboundAnswer> {
    const signal = this.deadline();
    const url = httpUrl(request.url);
    const isTls = url.protocol === 'https:';
    const port = url.port === '' ? (isTls ? 443 : 80) : Number(url.port);
    const tls = isTls ? { ALPNProtocols: ['http/1.1'] } : null;
    const socket = await this.#open({ host: url.hostname, port, tls }, requester, signal);
    try {
      requester.beforeSending?.();
      return await exchange({ ...request, most: this.#most }, url, socket, signal);
    } finally {
      // It is over, whatever the other side still has to say.
      socket.destroy();
    }
  }

  /** For protocols that speak over a connection of their own: it is dialled to the address that was judged. Throws OutboundError. */
  async dial(host: string, port: number, by: Requester & { readonly signal?: AbortSignal }): Promise<Socket> {
    const { signal = this.deadline() } = by;
    const socket = await this.#open({ host, port, tls: null }, by, signal);
    try {
      by.beforeSending?.();
      return socket;
    } catch (error) {
      socket.destroy();
      throw error;
    }
  }

  async #open(target: DialTarget, { isOperator, accountId }: Requester, signal: AbortSignal): Promise<Socket> {
    const policy = messagePolicy(await this.#access(isOperator));
    const owner = accountId ?? INSTALLATION_OWNER;
    try {
      const socket = await dial(target, {
        resolve: (host) => lookups.addressesOf(host, { owner, signal }),
        policy: () => policy,
        signal,
      });
      // An error before its user listens would end the process.
      return socket.once('error', () => undefined);
    } catch (error) {
      throw signal.aborted ? new OutboundError('unreachable', NO_ANSWER) : dialFault(error);
    }
  }
}

function dialFault(error: unknown): OutboundError {
  if (error instanceof AddressRefused) return new OutboundError('address', refusalOf(error));
  if (!(error instanceof NameNotResolved)) return outboundFault(error);
  return error.cause === undefined ? new OutboundError('unreachable', error.message) : outboundFault(error.cause);
}

/** What is told of a refusal: whose network it is stays untold, unless it is one that an operator may name. */
function refusalOf({ verdicts }: AddressRefused): string {
  const refused = verdicts.find((verdict) => verdict !== 'allowed');
  return refused === 'own-port' || refused === 'private' ? refused : 'unusable';
}

function httpUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || (url.protocol !== 'https:' && url.protocol !== 'http:')) {
    throw new OutboundError('address', 'not an http address');
  }
  if (url.username !== '' || url.password !== '') throw new OutboundError('address', 'credentials in the address');
  return url;
}

function exchange(
  request: OutboundRequest & { readonly most: AnswerLimit },
  url: URL,
  socket: Socket,
  signal: AbortSignal,
): Promise<OutboundAnswer> {
  return new Promise((resolve, reject) => {
    const sent = sendRequest(
      {
        createConnection: () => socket,
        path: `${url.pathname}${url.search}`,
        method: request.method,
        headers: { host: url.host, 'content-length': Buffer.byteLength(request.body), ...request.headers },
        maxHeaderSize: ANSWER_BYTES,
        signal,
      },
      (answer) => readAnswer(answer, request.most).then(resolve, reject),
    );
    sent.on('socket', () => {
      let heard = 0;
      socket.on('data', (chunk: Buffer) => {
        heard += chunk.length;
        if (heard > HEARD_BYTES) sent.destroy(new OutboundError('unreachable', TOO_LARGE));
      });
    });
    sent.on('error', (error) => reject(outboundFault(error)));
    sent.end(request.body);
  });
}

async function readAnswer(answer: IncomingMessage, most: AnswerLimit): Promise<OutboundAnswer> {
  const chunks: Buffer[] = [];
  let held = 0;
  try {
    for await (const chunk of answer as AsyncIterable<Buffer>) {
      chunks.push(chunk);
      held += chunk.length;
      if (held > most.bytes && !most.isCut) throw new OutboundError('unreachable', TOO_LARGE);
      if (held >= most.bytes && most.isCut) break;
    }
  } catch (error) {
    throw outboundFault(error);
  }
  const headers = Object.fromEntries(Object.entries(answer.headers).map(([name, value]) => [name, String(value)]));
  return { status: answer.statusCode ?? 0, headers, text: Buffer.concat(chunks).subarray(0, most.bytes).toString() };
}
