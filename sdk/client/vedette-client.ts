// Calls of a Vedette server from a browser, Node, Deno or Bun: typed by path, lists page by page, uploads, events.
import { SUCCESS } from '@vedette/contract/errors.ts';
import { systemClock } from '@vedette/foundation/time/clock.ts';
import { CallError } from './call-error.ts';
import type { Calls, PushEvent, Uploads } from './call-types.ts';
import type { ConnectionState } from './connection-state.ts';
import { type Exchange, exchange } from './exchange.ts';
import { type EventSocket, RealtimeClient } from './realtime-client.ts';
import { pageWordOf, type PagedPath, type RowOf, rowsOf } from './paged-lists.ts';

export interface VedetteClientOptions {
  /** Address of the installation, such as `https://video.example.org`. */
  readonly url: string;
  /** Of a session (`account/login`) or of an app (OAuth 2); asked for anew at each call, null where there is none. */
  readonly accessToken?: () => string | null;
  /** Milliseconds until a call is given up, 15,000 where not told. */
  readonly timeoutMs?: number;
  /** Another `fetch`, such as one that trusts the installation's own certificate authority. */
  readonly fetch?: typeof fetch;
}

export interface CallOptions {
  readonly signal?: AbortSignal;
}

export interface EventListeners {
  readonly onEvent: (event: PushEvent) => void;
  /** More was missed than the server keeps: fetch again what you show. */
  readonly onReset?: () => void;
  readonly onState?: (state: ConnectionState) => void;
  /** The token has ended, with code 1001, 1002 or 2031; nothing follows. */
  readonly onEnd?: (code: number) => void;
}

type Sent = Pick<Exchange, 'body' | 'type'>;

export class VedetteClient {
  readonly #options: VedetteClientOptions;

  constructor(options: VedetteClientOptions) {
    this.#options = { ...options, url: options.url.replace(/\/$/u, '') };
  }

  /**
   * Makes one call and gives its answer.
   * @throws CallError where the server refuses, NoAnswerError where nothing comes in time.
   */
  call<P extends keyof Calls>(path: P, input: Calls[P]['input'], options?: CallOptions): Promise<Calls[P]['answer']> {
    const body = JSON.stringify(input);
    return this.#send(path, '', { body, type: 'application/json' }, options) as Promise<Calls[P]['answer']>;
  }

  /** Every row of a list, asked for page by page as they are taken. A row that moves between pages meanwhile comes twice or not at all. */
  async *rows<P extends PagedPath>(path: P, input: Calls[P]['input'], options?: CallOptions): AsyncGenerator<RowOf<P>> {
    const word = pageWordOf(path);
    let seen = 0;
    for (let page = word === 'pageNo' ? 1 : 0; ; page += 1) {
      const asked = { ...input, [word]: page } as Calls[P]['input'];
      const answer = (await this.call(path, asked, options)) as { readonly total: number };
      const rows = rowsOf<RowOf<P>>(answer);
      yield* rows;
      seen += rows.length;
      if (rows.length === 0 || seen >= answer.total) return;
    }
  }

  /** Sends a part of a file; what is said about it stands in the query. */
  upload<P extends keyof Uploads>(
    path: P,
    input: Uploads[P]['input'],
    part: Blob,
    options?: CallOptions,
  ): Promise<Uploads[P]['answer']> {
    const query = new URLSearchParams();
    for (const [name, value] of Object.entries(input)) query.set(name, String(value));
    const sent = { body: part, type: 'application/octet-stream' };
    return this.#send(path, `?${query}`, sent, options) as Promise<Uploads[P]['answer']>;
  }

  /**
   * Listens to what happens: status, alarms, changed rights. A lost connection is opened again, later each time, and goes on
   * after the last event that came.
   * @returns how to stop listening
   * @throws where there is no token yet: sign in first
   */
  listen({ onEvent, onReset, onState, onEnd }: EventListeners): () => void {
    const { url, accessToken } = this.#options;
    if ((accessToken?.() ?? null) === null) throw new Error('events need an access token: sign in first');
    const realtime = new RealtimeClient({
      open: () => new WebSocket(`${url.replace(/^http/u, 'ws')}/ws`) as unknown as EventSocket,
      clock: systemClock,
      random: Math.random,
      token: () => accessToken?.() ?? null,
      onState: (state) => onState?.(state),
      onMessage: () => undefined,
      onEvent,
      onReset: () => onReset?.(),
      onEnd: (code) => onEnd?.(code),
    });
    realtime.start();
    return () => realtime.stop();
  }

  /** @throws CallError where the server refuses */
  async #send(path: string, query: string, sent: Sent, { signal }: CallOptions = {}): Promise<unknown> {
    const { url, accessToken, timeoutMs, fetch: send } = this.#options;
    const address = `${url}/api/v1/${path}${query}`;
    const order = { path, address, ...sent, token: accessToken?.() ?? null, timeoutMs, send, signal };
    const answer = await exchange(order);
    if (answer.code !== SUCCESS) throw new CallError(path, answer);
    return answer.data;
  }
}
