// Pushes one stream to one RTMP address until it is stopped: connects, sends, notices a server that takes nothing, and tries again.
import { backoffDelayMs } from '@vedette/foundation/backoff/backoff.ts';
import type { Clock } from '@vedette/foundation/time/clock.ts';
import type { PublishAddress } from '@vedette/protocols/rtmp/publish-address.ts';
import { RtmpPublisher } from '@vedette/protocols/rtmp/publisher.ts';
import { RtmpError } from '@vedette/protocols/rtmp/rtmp-error.ts';
import type { Duplex } from 'node:stream';
import type { StreamHub, StreamLease } from '../stream/hub.ts';
import type { OpenSource } from '../stream/source.ts';
import { PushFault, type PushReason, pushReasonOf } from './push-fault.ts';
import { PushFeed, pushableVideo } from './push-feed.ts';
import { SentBytes } from './sent-bytes.ts';

export interface StreamPusherOptions {
  readonly hub: StreamHub;
  readonly clock: Clock;
  readonly streamKey: string;
  readonly open: OpenSource;
  readonly address: PublishAddress;
  /** Rejects with PushFault, or with the reason of the signal. */
  readonly dial: (address: PublishAddress, signal: AbortSignal) => Promise<Duplex>;
  readonly randomBytes: (size: number) => Buffer;
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

const ANSWER_WITHIN_MS = 10_000;
const DIAL_WITHIN_MS = 10_000;
const LOOK_EVERY_MS = 1000;
/** Nothing of what waits was taken for so long. */
const STALL_MS = 10_000;
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
      const { promise: closed, resolve: onClosed } = Promise.withResolvers<RtmpError>();
      const publisher = await this.#connect(signal, onClosed);
      return pushReasonOf(await this.#publish(publisher, closed, signal));
    } catch (error) {
      return pushReasonOf(error);
    }
  }

  async #connect(signal: AbortSignal, onClosed: (error: RtmpError) => void): Promise<RtmpPublisher> {
    const { clock, address, dial, randomBytes } = this.#options;
    const late = new AbortController();
    const cancel = clock.after(DIAL_WITHIN_MS, () => late.abort(new PushFault('timeout', 'not connected in time')));
    const socket = await dial(address, AbortSignal.any([signal, late.signal])).finally(cancel);
    const giveUp = (): void => void socket.destroy();
    signal.addEventListener('abort', giveUp, { once: true });
    if (signal.aborted) giveUp();
    try {
      return await RtmpPublisher.open(socket, address, {
        clock,
        randomBytes,
        answerWithinMs: ANSWER_WITHIN_MS,
        onClosed,
      });
    } finally {
      signal.removeEventListener('abort', giveUp);
    }
  }

  async #publish(publisher: RtmpPublisher, closed: Promise<RtmpError>, signal: AbortSignal): Promise<RtmpError> {
    const { stream } = this.#lease;
    const feed = new PushFeed({
      publisher,
      onSent: (bytes) => {
        this.#sent.add(bytes);
        this.#options.onSent(bytes);
      },
      onOtherCodec: () => publisher.finish(),
    });
    const finish = (): void => publisher.finish();
    signal.addEventListener('abort', finish, { once: true });
    this.#set('live', null);
    const leave = stream.addConsumer(feed);
    for (const unit of stream.gopUnits()) feed.accessUnit(unit);
    const stopWatching = this.#watch(publisher);
    if (signal.aborted) finish();
    try {
      return await closed;
    } finally {
      stopWatching();
      leave();
      signal.removeEventListener('abort', finish);
    }
  }

  /** Closes a connection whose server takes nothing any more. */
  #watch(publisher: RtmpPublisher): () => void {
    const { clock } = this.#options;
    let taken = -1;
    let movedMs = clock.monotonicMs();
    const look = (): void => {
      const now = clock.monotonicMs();
      const { queuedBytes, takenBytes } = publisher;
      if (queuedBytes === 0 || takenBytes !== taken) movedMs = now;
      taken = takenBytes;
      if (now - movedMs >= STALL_MS) publisher.close(new RtmpError('timeout', 'the server takes nothing any more'));
      else cancel = clock.after(LOOK_EVERY_MS, look);
    };
    let cancel = clock.after(LOOK_EVERY_MS, look);
    return () => cancel();
  }

  /** Rejects with PushFault where there is no video, or none that RTMP carries. */
  async #awaitVideo(signal: AbortSignal): Promise<void> {
    const { stream } = this.#lease;
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const leave = stream.addConsumer({
      holdsSlabs: true,
      format: ({ video }) => {
        if (pushableVideo(video) !== null) resolve();
        else reject(new PushFault(video === null ? 'noVideo' : 'codec', 'nothing that RTMP carries'));
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
