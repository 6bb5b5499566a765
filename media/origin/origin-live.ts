// One live stream that viewers, or a CDN in front of them, fetch from here: its window of Low-Latency HLS and its HTTP-FLV viewers.
import type { ServerResponse } from 'node:http';
import type { Clock } from '@vedette/foundation/time/clock.ts';
import type { PushReason } from '../push/push-fault.ts';
import { pushableVideo } from '../push/push-feed.ts';
import { SentBytes } from '../push/sent-bytes.ts';
import type { PushStatus } from '../push/stream-pusher.ts';
import type { StreamHub, StreamLease } from '../stream/hub.ts';
import type { OpenSource } from '../stream/source.ts';
import type { MediaFormat, SourceState, StreamConsumer } from '../stream/stream.ts';
import { AddressCount } from './address-count.ts';
import { FlvViewer } from './flv-viewer.ts';
import { LiveWindow } from './live-window.ts';

export interface OriginLiveOptions {
  readonly hub: StreamHub;
  readonly clock: Clock;
  readonly streamKey: string;
  readonly open: OpenSource;
  /** Addresses of the stream are signed with it. */
  readonly key: string;
  readonly onSent: (bytes: number) => void;
}

const TICK_MS = 250;
const TICKS_PER_LOOK = 4;
/** No picture for so long: the camera sends no video. */
const SILENT_MS = 5000;
const MOST_WAITING = 2000;
/** Everyone behind a CDN has its address; a cache asks once for all of them. */
const MOST_WAITING_OF_ADDRESS = 100;
const MOST_FLV_VIEWERS = 200;

export class OriginLive {
  readonly #options: OriginLiveOptions;
  readonly #window: LiveWindow;
  readonly #lease: StreamLease;
  readonly #leave: () => void;
  readonly #sent = new SentBytes();
  readonly #addresses = new AddressCount();
  readonly #ended = new AbortController();
  /** Those who wait for the next part, by address. */
  #waiting: { readonly address: string; readonly wake: () => void }[] = [];
  readonly #viewers = new Set<FlvViewer>();
  #state: Pick<PushStatus, 'state' | 'since' | 'reason'>;
  #ticks = 0;
  #cancelTick: () => void = () => undefined;

  constructor(options: OriginLiveOptions) {
    this.#options = options;
    const { hub, clock, streamKey, open } = options;
    this.#state = { state: 'starting', since: clock.wallMs(), reason: null };
    const monotonicMs = (): number => clock.monotonicMs();
    this.#window = new LiveWindow({ monotonicMs, startMs: clock.wallMs(), onPart: () => this.#moved() });
    this.#lease = hub.acquire(streamKey, open);
    const consumer = this.#consumer();
    this.#leave = this.#lease.stream.addConsumer(consumer);
    for (const unit of this.#lease.stream.gopUnits()) consumer.accessUnit(unit);
    this.#tick();
  }

  get key(): string {
    return this.#options.key;
  }

  get window(): LiveWindow {
    return this.#window;
  }

  get ended(): AbortSignal {
    return this.#ended.signal;
  }

  /** `addressCount`: that fetched it, viewers or caches. */
  get status(): PushStatus & { readonly addressCount: number } {
    const { bitsPerSecond, total: sentBytes } = this.#sent;
    return { ...this.#state, bitsPerSecond, sentBytes, addressCount: this.#addresses.count };
  }

  /** Somebody with a good token asks from there. */
  noteAddress(address: string): void {
    this.#addresses.note(address);
  }

  countSent(bytes: number): void {
    this.#sent.add(bytes);
    this.#options.onSent(bytes);
  }

  /** `moved`: with the next part, and when `signal` or the stream ends. `full`: too many wait. */
  async nextPart(address: string, signal: AbortSignal): Promise<'moved' | 'full'> {
    const ofAddress = this.#waiting.filter((one) => one.address === address).length;
    if (this.#waiting.length >= MOST_WAITING || ofAddress >= MOST_WAITING_OF_ADDRESS) return 'full';
    const { promise, resolve } = Promise.withResolvers<void>();
    const wake = (): void => resolve();
    this.#waiting.push({ address, wake });
    const ends = AbortSignal.any([signal, this.ended]);
    ends.addEventListener('abort', wake, { once: true });
    if (ends.aborted) wake();
    await promise;
    ends.removeEventListener('abort', wake);
    this.#waiting = this.#waiting.filter((one) => one.wake !== wake);
    return 'moved';
  }

  get takesFlvViewers(): boolean {
    return this.#viewers.size < MOST_FLV_VIEWERS;
  }

  /** `untilMs`: wall clock, the address holds until then. */
  addFlvViewer(response: ServerResponse, untilMs: number): void {
    const onSent = (bytes: number): void => this.countSent(bytes);
    const viewer = new FlvViewer({ response, stream: this.#lease.stream, untilMs, onSent });
    this.#viewers.add(viewer);
    response.once('close', () => {
      this.#viewers.delete(viewer);
      viewer.close();
    });
  }

  async stop(): Promise<void> {
    if (this.#ended.signal.aborted) return;
    this.#ended.abort();
    this.#cancelTick();
    this.#leave();
    for (const viewer of this.#viewers) viewer.close();
    this.#lease.release();
  }

  #consumer(): StreamConsumer {
    return {
      holdsSlabs: true,
      format: (format) => this.#format(format),
      accessUnit: (unit) => this.#window.accessUnit(unit),
      discontinuity: (reason) => this.#window.discontinuity(reason),
      state: (state) => this.#sourceState(state),
    };
  }

  /** The window drops units of a format that it was not told. */
  #format(format: MediaFormat): void {
    if (pushableVideo(format.video) !== null) this.#window.format(format);
    else this.#set('retrying', format.video === null ? 'noVideo' : 'codec');
  }

  #sourceState(state: SourceState): void {
    this.#window.state(state);
    if (state.state === 'failed') this.#set('retrying', 'noVideo');
  }

  #moved(): void {
    if (this.#window.isReady && this.#state.state !== 'live') this.#set('live', null);
    for (const { wake } of this.#waiting) wake();
  }

  #set(state: PushStatus['state'], reason: PushReason | null): void {
    this.#state = { state, reason, since: this.#options.clock.wallMs() };
  }

  #tick(): void {
    const { clock } = this.#options;
    this.#window.tick();
    this.#ticks += 1;
    if (this.#ticks % TICKS_PER_LOOK === 0) this.#look();
    this.#cancelTick = clock.after(TICK_MS, () => this.#tick());
  }

  #look(): void {
    const { clock } = this.#options;
    const now = { wallMs: clock.wallMs(), monotonicMs: clock.monotonicMs() };
    this.#sent.look();
    for (const viewer of this.#viewers) viewer.check(now);
    const last = this.#lease.stream.lastVideoMs;
    const isSilent = last !== null && now.monotonicMs - last > SILENT_MS;
    if (isSilent && this.#state.state === 'live') this.#set('retrying', 'noVideo');
  }
}
