// The remote site's end of the media tunnel: dials out with the token of the present connection and reconnects while the token is valid.
import { backoffDelayMs } from '@vedette/foundation/backoff/backoff.ts';
import { MEDIA_TUNNEL_PATH, STREAM_USES, STREAM_USES_HEADER, type StreamUse } from '@vedette/contract/remote-site.ts';
import type { Clock } from '@vedette/foundation/time/clock.ts';
import type { WebSocket } from 'ws';
import { randomFraction } from '@vedette/foundation/random/random-numbers.ts';
import { Tunnel } from './tunnel.ts';
import type { TunnelStream } from './tunnel-stream.ts';
import type { ServerSocketOptions } from '../connection/server-socket.ts';

export interface MediaTunnelClientOptions {
  readonly clock: Clock;
  readonly dial: (options: ServerSocketOptions) => WebSocket;
  readonly serve: (use: StreamUse, stream: TunnelStream) => void;
  readonly log: { info(fields: object, message: string): void; warn(fields: object, message: string): void };
}

const FRAME_MAX_BYTES = 64 * 1024;
const RETRY_FIRST_MS = 500;
const RETRY_MAX_MS = 15_000;

export class MediaTunnelClient {
  readonly #options: MediaTunnelClientOptions;
  #token: string | null = null;
  #socket: WebSocket | null = null;
  #tunnel: Tunnel | null = null;
  #failures = 0;
  #cancelRetry: () => void = () => undefined;

  constructor(options: MediaTunnelClientOptions) {
    this.#options = options;
  }

  /** Another token opens another tunnel; null closes it. */
  use(token: string | null): void {
    if (token === this.#token) return;
    this.#token = token;
    this.#failures = 0;
    this.#cancelRetry();
    this.#drop();
    if (token !== null) this.#dial(token);
  }

  close(): void {
    this.use(null);
  }

  #dial(token: string): void {
    const { dial, clock, serve, log } = this.#options;
    const socket = dial({
      path: MEDIA_TUNNEL_PATH,
      maxPayload: FRAME_MAX_BYTES,
      headers: { authorization: `Bearer ${token}`, [STREAM_USES_HEADER]: STREAM_USES.join(',') },
    });
    this.#socket = socket;
    socket.on('error', (error) => {
      if (this.#failures === 0) log.warn({ err: error }, 'the media line to the centre cannot be opened');
    });
    socket.on('open', () => {
      this.#failures = 0;
      log.info({}, 'the media line to the centre stands');
      this.#tunnel = new Tunnel({ socket, clock, onStream: serve, onClosed: () => undefined });
    });
    socket.on('close', () => {
      if (this.#socket === socket) this.#again(token);
    });
  }

  #again(token: string): void {
    this.#drop();
    const range = { firstMs: RETRY_FIRST_MS, maxMs: RETRY_MAX_MS, jitter: 0.5 };
    const delay = backoffDelayMs(this.#failures, randomFraction(), range);
    this.#failures += 1;
    this.#cancelRetry = this.#options.clock.after(delay, () => {
      if (this.#token === token) this.#dial(token);
    });
  }

  #drop(): void {
    const socket = this.#socket;
    this.#socket = null;
    this.#tunnel?.close();
    this.#tunnel = null;
    socket?.terminate();
  }
}
