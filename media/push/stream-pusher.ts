// Pushes one stream to one server until it is stopped: connects, sends, says why it does not go on, and tries again.
import { backoffDelayMs } from '@vedette/foundation/backoff/backoff.ts';
import type { Clock } from '@vedette/foundation/time/clock.ts';
import type { StreamHub, StreamLease } from '../stream/hub.ts';
import type { OpenSource } from '../stream/source.ts';
import { PushFault, type PushReason, pushReasonOf } from './push-fault.ts';
import type { PushConnection, PushOutlet } from './push-outlet.ts';
import { SentBytes } from './sent-bytes.ts';

export interface StreamPusherOptions {
  readonly hub: StreamHub;
  readonly clock: Clock;
  readonly streamKey: string;
  readonly open: OpenSource;
  readonly outlet: PushOutlet;
  /** In [0, 1). */
  readonly random: () => number;
  readonly onSent: (bytes: number) => void;
}

export interface PushStatus {
  readonly state: 'starting' | 'live' | 'retrying';
  /** Wall clock, since it is in this state. */
  readonly since: number;
  /** Why the last connection ended or could not be opened; null while live. */
  readonly reason: PushReason | null;
  /** Of the last seconds. */
  readonly bitsPerSecond: number;
  readonly sentBytes: number;
}

const LOOK_EVERY_MS = 1000;
/** No keyframe to begin with for so long. */
const VIDEO_WITHIN_MS = 15_000;
const RETRY = { firstMs: 1000, maxMs: 30_000 };
/** A connection that lasted this long was a success. */
const SETTLED_MS = 10_000;

export class StreamPusher {
  readonly #options: StreamPusherOptions;
  readonly #lease: StreamLease;
  readonly #ended = new AbortController();
  readonly #done: Promise<void>;
  #state: Pick<PushStatus, 'state' | 'since' | 'reason'>;
  readonly #sent = new SentBytes();
  #cancelLook: () => void = () => undefined;

  constructor(options: StreamPusherOptions) {
    this.#options = options;
    this.#state = { state: 'starting', since: options.clock.wallMs(), reason: null };
    this.#lease = options.hub.acquire(options.streamKey, options.open);
    this.#look();
    this.#done = this.#run();
  }

  get status(): PushStatus {
    const { bitsPerSecond, total: sentBytes } = this.#sent;
    return { ...this.#state, bitsPerSecond, sentBytes };
  }

  /** Resolves when the connection is gone and the stream is given back. */
  async stop(): Promise<void> {
    this.#ended.abort();
    await this.#done;
  }

  async #run(): Promise<void> {
    const { clock, random } = this.#options;
    const { signal } = this.#ended;
    for (let attempt = 0; !signal.aborted; attempt += 1) {
      const reason = await this.#attempt(signal);
      if (this.#state.state === 'live' && clock.wallMs() - this.#state.since > SETTLED_MS) attempt = 0;
      if (signal.aborted) break;
      this.#set('retrying', reason);
      await this.#pause(backoffDelayMs(attempt, random(), RETRY), signal);
    }
    this.#cancelLook();
    this.#lease.release();
  }

  /** One connection from its dialling to its end; why it ended. */
  async #attempt(signal: AbortSignal): Promise<PushReason> {
    try {
      await this.#awaitVideo(signal);
      const { outlet } = this.#options;
      const connection = await outlet.connect({ stream: this.#lease.stream, onSent: this.#onSent, signal });
      return pushReasonOf(await this.#send(connection, signal));
    } catch (error) {
      return pushReasonOf(error);
    }
  }

  async #send(connection: PushConnection, signal: AbortSignal): Promise<unknown> {
    const finish = (): void => connection.finish();
    signal.addEventListener('abort', finish, { once: true });
    this.#set('live', null);
    if (signal.aborted) finish();
    else connection.begin();
    try {
      return await connection.closed;
    } finally {
      signal.removeEventListener('abort', finish);
    }
  }

  /** Rejects with PushFault where there is no video, or none that the protocol carries. */
  async #awaitVideo(signal: AbortSignal): Promise<void> {
    const { stream } = this.#lease;
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const leave = stream.addConsumer({
      holdsSlabs: true,
      format: (format) => {
        if (this.#options.outlet.takes(format)) resolve();
        else reject(new PushFault(format.video === null ? 'noVideo' : 'codec', 'nothing that can be pushed'));
      },
      accessUnit: () => undefined,
      discontinuity: () => undefined,
      state: () => undefined,
    });
    const late = new PushFault('noVideo', 'the camera sends no video');
    const cancel = this.#options.clock.after(VIDEO_WITHIN_MS, () => reject(late));
    const stop = (): void => reject(late);
    signal.addEventListener('abort', stop, { once: true });
    if (signal.aborted) stop();
    await promise.finally(() => {
      cancel();
      leave();
      signal.removeEventListener('abort', stop);
    });
  }

  #set(state: PushStatus['state'], reason: PushReason | null): void {
    this.#state = { state, reason, since: this.#options.clock.wallMs() };
  }

  readonly #onSent = (bytes: number): void => {
    this.#sent.add(bytes);
    this.#options.onSent(bytes);
  };

  #look(): void {
    this.#cancelLook = this.#options.clock.after(LOOK_EVERY_MS, () => {
      this.#sent.look();
      this.#look();
    });
  }

  #pause(ms: number, signal: AbortSignal): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const cancel = this.#options.clock.after(ms, resolve);
    signal.addEventListener('abort', () => resolve(), { once: true });
    return promise.finally(cancel);
  }
}
