// One upstream shared by raw consumers (recorder, snapshot) and by viewers of ready-made fragments.
import type { SlabPool } from '@vedette/protocols/rtp/slab-pool.ts';
import type { Clock } from '@vedette/foundation/time/clock.ts';
import type { MediaSource, OpenSource } from './source.ts';
import type { SourceCounters } from './source-counters.ts';
import { KeyframeWait } from './keyframe-wait.ts';
import { GopCache } from './gop-cache.ts';
import { buildLiveInit, type LiveFragment, LiveFragmentBuilder, type LiveInit } from './live-fragment.ts';
import { isSameFormat } from './same-format.ts';
import type { AccessUnit, DiscontinuityReason, MediaFormat, SourceState, StreamConsumer } from './stream.ts';

/** A live viewer: gets every fragment; where to start (`gop`) and what to skip is its own choice. */
export interface StreamViewer {
  /** It holds the slab of each fragment that it keeps. */
  readonly holdsSlabs?: true;
  init(init: LiveInit): void;
  fragment(fragment: LiveFragment): void;
  state(state: SourceState): void;
}

export interface StreamCounters {
  readonly fragments: number;
  readonly fragmentBytes: number;
  readonly gopBytes: number;
  readonly gopOverflows: number;
  readonly discontinuities: number;
  readonly upstreams: number;
  readonly viewers: number;
  readonly consumers: number;
  /** Consumers that threw and were removed. */
  readonly consumerFailures: number;
  readonly source: Readonly<SourceCounters>;
}

export interface SharedStreamOptions {
  readonly key: string;
  readonly clock: Clock;
  readonly open: OpenSource;
  readonly onConsumerFailure: (key: string, error: unknown) => void;
  readonly slabs: SlabPool;
}

/** An older frame is not live any more. */
const STALE_MS = 5000;

export class SharedStream implements StreamConsumer {
  readonly key: string;
  readonly slabs: SlabPool;
  readonly #options: SharedStreamOptions;
  readonly #consumers = new Set<StreamConsumer>();
  readonly #viewers = new Set<StreamViewer>();
  readonly #builder = new LiveFragmentBuilder();
  readonly #gop = new GopCache((unit, duration) => this.#builder.build(unit, duration));
  #source: MediaSource;
  #state: SourceState = { state: 'connecting', attempt: 1 };
  #init: LiveInit | null = null;
  #lastKeyframe: AccessUnit | null = null;
  #lastVideoMs: number | null = null;
  readonly #keyframeWait = new KeyframeWait();
  #fragments = 0;
  #fragmentBytes = 0;
  #discontinuities = 0;
  #upstreams = 1;
  #consumerFailures = 0;
  #replacing = false;
  /** A consumer keeps its units permanently. */
  #hasKeeper = false;
  #isPatient = true;

  constructor(options: SharedStreamOptions) {
    this.key = options.key;
    this.slabs = options.slabs;
    this.#options = options;
    this.#source = options.open(this);
  }

  get currentState(): SourceState {
    return this.#state;
  }

  get isPatient(): boolean {
    return this.#isPatient;
  }

  get currentFormat(): MediaFormat | null {
    return this.#init?.format ?? null;
  }

  /** Monotonic time of the newest frame; null before the first. */
  get lastVideoMs(): number | null {
    return this.#lastVideoMs;
  }

  /** Pictures arrive, and are left out until a keyframe comes. */
  get isAwaitingKeyframe(): boolean {
    return this.#keyframeWait.isOn(this.unitsAwaitingKey, this.#options.clock.monotonicMs());
  }

  /** Pictures left out so far until a keyframe came. A source may deliver while it is being opened, before it can be asked. */
  get unitsAwaitingKey(): number {
    const source: MediaSource | undefined = this.#source;
    return source === undefined ? 0 : source.counters.unitsAwaitingKey;
  }

  /** A copy of the newest key picture, for a snapshot; null when there is none that is still live. */
  latestKeyframe(): { readonly format: MediaFormat; readonly unit: AccessUnit } | null {
    const format = this.currentFormat;
    if (!format || !this.#lastKeyframe || !this.#isLive()) return null;
    const { track, data, isKey, dts, ctsOffset, wallMs } = this.#lastKeyframe;
    return { format, unit: { track, data: Buffer.from(data), isKey, dts, ctsOffset, wallMs } };
  }

  /** Subscribes to access units, with format and state at once. Call the result to unsubscribe. */
  addConsumer(consumer: StreamConsumer): () => void {
    this.#consumers.add(consumer);
    this.#lookForNeeds();
    consumer.state(this.#state);
    if (this.#init) {
      consumer.format(this.#init.format);
      consumer.discontinuity('connected');
    }
    return () => {
      this.#consumers.delete(consumer);
      this.#lookForNeeds();
    };
  }

  /** Subscribes to fragments, with state and init segments at once; `gop` contains those since the newest keyframe. */
  addViewer(viewer: StreamViewer): () => void {
    this.#viewers.add(viewer);
    this.#lookForNeeds();
    if (!viewer.holdsSlabs) for (const { slab } of this.#gop.units) slab?.keep();
    // Before the next ones, which continue its numbering.
    this.#gop.fragments();
    viewer.state(this.#state);
    if (this.#init) viewer.init(this.#init);
    // No cached GOP: requests a keyframe from the device.
    if (this.#state.state === 'playing' && this.gop().length === 0) this.#source.requestKeyframe?.();
    return () => {
      this.#viewers.delete(viewer);
      this.#lookForNeeds();
    };
  }

  /** For viewers: fragments since the newest keyframe; empty if outdated. */
  gop(): readonly LiveFragment[] {
    return this.#isLive() ? this.#gop.fragments() : [];
  }

  /** For consumers that start late: access units since the newest keyframe; empty if outdated. */
  gopUnits(): readonly AccessUnit[] {
    return this.#isLive() ? this.#gop.units : [];
  }

  counters(): StreamCounters {
    return {
      fragments: this.#fragments,
      fragmentBytes: this.#fragmentBytes,
      gopBytes: this.#gop.bytes,
      gopOverflows: this.#gop.overflows,
      discontinuities: this.#discontinuities,
      upstreams: this.#upstreams,
      viewers: this.#viewers.size,
      consumers: this.#consumers.size,
      consumerFailures: this.#consumerFailures,
      source: this.#source.counters,
    };
  }

  /** Requests a keyframe, at a limited rate. */
  requestKeyframe(): void {
    this.#source.requestKeyframe?.();
  }

  retryNow(): void {
    this.#source.retryNow();
  }

  /** Replaces the source, for example after a change of address or password; consumers stay. */
  async replaceSource(open: OpenSource): Promise<void> {
    this.#upstreams += 1;
    // Closes the old one first: many devices allow few connections, and two writers would mix their time lines.
    this.#replacing = true;
    await this.#source.close();
    this.#replacing = false;
    this.#source = open(this);
  }

  async close(): Promise<void> {
    await this.#source.close();
    this.#gop.clear();
    this.#setLastKeyframe(null);
  }

  format(format: MediaFormat): void {
    // A reconnected source repeats the known format.
    if (this.#init && isSameFormat(this.#init.format, format)) return;
    const init = buildLiveInit(format);
    this.#init = init;
    this.#builder.setFormat(init);
    this.#gop.clear();
    this.#setLastKeyframe(null);
    this.#tellConsumers((consumer) => consumer.format(format));
    for (const viewer of this.#viewers) viewer.init(init);
  }

  accessUnit(unit: AccessUnit): void {
    if (this.#hasKeeper) unit.slab?.keep();
    const duration = this.#builder.duration(unit);
    const bytes = this.#builder.size(unit);
    this.#fragments += 1;
    this.#fragmentBytes += bytes;
    if (unit.track === 'video') {
      this.#lastVideoMs = this.#options.clock.monotonicMs();
      this.#keyframeWait.delivered(this.unitsAwaitingKey);
      if (unit.isKey) this.#setLastKeyframe(unit);
    }
    this.#gop.add(unit, duration, bytes);
    if (this.#viewers.size > 0) {
      const fragment = this.#gop.newest() ?? this.#builder.build(unit, duration);
      for (const viewer of this.#viewers) viewer.fragment(fragment);
    }
    // Runs thousands of times a second: allocates no closures.
    for (const consumer of this.#consumers) {
      try {
        consumer.accessUnit(unit);
      } catch (error) {
        this.#drop(consumer, error);
      }
    }
  }

  discontinuity(reason: DiscontinuityReason): void {
    this.#discontinuities += 1;
    this.#tellConsumers((consumer) => consumer.discontinuity(reason));
  }

  state(state: SourceState): void {
    if (state.state === 'closed' && this.#replacing) return;
    this.#state = state;
    if (state.state === 'failed' || state.state === 'closed') this.#gop.clear();
    this.#tellConsumers((consumer) => consumer.state(state));
    for (const viewer of this.#viewers) viewer.state(state);
  }

  #setLastKeyframe(unit: AccessUnit | null): void {
    unit?.slab?.hold();
    this.#lastKeyframe?.slab?.release();
    this.#lastKeyframe = unit;
  }

  #lookForNeeds(): void {
    this.#hasKeeper = [...this.#consumers, ...this.#viewers].some(({ holdsSlabs }) => !holdsSlabs);
    this.#isPatient = this.#viewers.size === 0 && [...this.#consumers].every((consumer) => consumer.isPatient);
  }

  #isLive(): boolean {
    return this.#lastVideoMs !== null && this.#options.clock.monotonicMs() - this.#lastVideoMs < STALE_MS;
  }

  /** A consumer that throws is removed: the others continue. */
  #tellConsumers(tell: (consumer: StreamConsumer) => void): void {
    for (const consumer of this.#consumers) {
      try {
        tell(consumer);
      } catch (error) {
        this.#drop(consumer, error);
      }
    }
  }

  #drop(consumer: StreamConsumer, error: unknown): void {
    this.#consumers.delete(consumer);
    this.#lookForNeeds();
    this.#consumerFailures += 1;
    this.#options.onConsumerFailure(this.key, error);
  }
}
