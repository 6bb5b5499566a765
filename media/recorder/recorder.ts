// Records one stream: splits access units into a bounded queue of fragments, has them written, and counts what was stored and lost.
import type { SlabPool } from '@vedette/protocols/rtp/slab-pool.ts';
import type { Disk } from '../recordings/disk.ts';
import type { TrackKey } from '../recordings/recording-path.ts';
import type { RecordingsSink } from '../recordings/recordings-sink.ts';
import type { TimeRange } from '../recordings/gaps/track-notes.ts';
import type { AccessUnit, DiscontinuityReason, MediaFormat, SourceState, StreamConsumer } from '../stream/stream.ts';
import type { Fragment } from './fragment.ts';
import { Fragmenter } from './fragmenter.ts';
import { FragmentWriter } from './fragment-writer.ts';
import { FragmentQueue } from './fragment-queue.ts';
import { LossWindow, type LossWindowReport } from './loss-window.ts';
import type { SyncedFragments } from './recording-file.ts';

const QUEUE_MAX_BYTES = 8 * 1024 * 1024;

export interface RecorderOptions {
  readonly disk: Disk;
  readonly key: TrackKey;
  readonly sink: RecordingsSink;
  readonly monotonicMs: () => number;
  readonly wait: (ms: number, signal: AbortSignal) => Promise<void>;
  readonly newRunId: () => number;
  /** Called for every abandoned file. */
  readonly onFault: (error: unknown) => void;
  readonly queueMaxBytes?: number;
  /** Shared memory for audio. */
  readonly slabs?: SlabPool;
  /** Event recording: its fragments are marked. */
  readonly isAlarm?: (wallMs: number) => boolean;
  /** Recordings that the disk was too slow to take. */
  readonly onMissing?: (range: TimeRange) => void;
  /** Backfill: one sync at the end of each file; a lost tail is fetched again. */
  readonly syncAtEndOnly?: boolean;
}

export interface RecorderReport {
  readonly isWriting: boolean;
  readonly lastStoredMs: number | null;
  readonly loss: LossWindowReport;
  readonly counters: Readonly<Record<RecorderCounter, number>>;
}

export type RecorderCounter =
  | 'fragmentsStored'
  | 'picturesStored'
  | 'bytesStored'
  | 'filesStarted'
  | 'filesAbandoned'
  | 'picturesDroppedQueueFull'
  | 'picturesDroppedUntilKey'
  | 'picturesBeforeKey'
  | 'soundOutsideRun';

export class Recorder implements StreamConsumer {
  readonly holdsSlabs = true;
  readonly isPatient = true;
  readonly #options: RecorderOptions;
  readonly #fragmenter: Fragmenter;
  readonly #queue: FragmentQueue;
  readonly #writer: FragmentWriter;
  readonly #loss = new LossWindow();
  readonly #counters: Record<RecorderCounter, number> = {
    fragmentsStored: 0,
    picturesStored: 0,
    bytesStored: 0,
    filesStarted: 0,
    filesAbandoned: 0,
    picturesDroppedQueueFull: 0,
    picturesDroppedUntilKey: 0,
    picturesBeforeKey: 0,
    soundOutsideRun: 0,
  };
  #lastStoredMs: number | null = null;
  #lastProvenMs: number | null = null;
  #unstoredSinceMs: number | null = null;
  #waiters: (() => void)[] = [];

  constructor(options: RecorderOptions) {
    this.#options = options;
    const { queueMaxBytes = QUEUE_MAX_BYTES, syncAtEndOnly = false, monotonicMs, newRunId, slabs } = options;
    const count = (counter: RecorderCounter, by = 1): void => {
      this.#counters[counter] += by;
    };
    this.#queue = new FragmentQueue({
      maxBytes: queueMaxBytes,
      dropped: count,
      missing: (range) => options.onMissing?.(range),
    });
    const proven = (synced: SyncedFragments): void => this.#proven(synced);
    this.#writer = new FragmentWriter({ ...options, queue: this.#queue, syncAtEndOnly, count, proven });
    this.#fragmenter = new Fragmenter({
      monotonicMs,
      newRunId,
      ...(slabs && { slabs }),
      emit: (fragment) => this.#enqueue(fragment),
      drop: count,
    });
  }

  format(format: MediaFormat): void {
    this.#fragmenter.format(format);
  }

  accessUnit(unit: AccessUnit): void {
    this.#fragmenter.accessUnit(unit);
  }

  discontinuity(reason: DiscontinuityReason): void {
    this.#fragmenter.discontinuity(reason);
  }

  state(state: SourceState): void {
    if (state.state !== 'playing') this.#fragmenter.flush();
  }

  /** Call about four times a second. */
  tick(): void {
    this.#fragmenter.tick();
    this.#writer.tick();
  }

  /** Wall clock of the newest fragment on disk. */
  get lastStoredMs(): number | null {
    return this.#lastStoredMs;
  }

  /** Monotonic instant at which a fragment was last proven to be on the disk. */
  get lastProvenMs(): number | null {
    return this.#lastProvenMs;
  }

  /** Monotonic instant since which something at hand has been waiting to be stored while nothing was; null when all is stored. */
  get unstoredSinceMs(): number | null {
    return this.#unstoredSinceMs;
  }

  /** Pictures come, and the recording can go on with a keyframe only. */
  get isAwaitingKeyframe(): boolean {
    return this.#fragmenter.isAwaitingKeyframe;
  }

  report(): RecorderReport {
    return {
      isWriting: this.#writer.isWriting,
      lastStoredMs: this.#lastStoredMs,
      loss: this.#loss.report(),
      counters: { ...this.#counters },
    };
  }

  /** Bytes accepted and not yet synced. */
  get queuedBytes(): number {
    return this.#queue.bytes;
  }

  /** A burst of this many bytes follows, from memory that is held anyway. */
  expectBurst(bytes: number): void {
    this.#queue.expectBurst(bytes);
  }

  /** A pause: writes what is queued and closes the file. */
  rest(): void {
    this.#fragmenter.discontinuity('connected');
    this.#writer.rest();
  }

  /** Resolves when less than `bytes` wait: backpressure for backfill. */
  async room(bytes: number): Promise<void> {
    while (this.#queue.bytes > bytes && !this.#writer.isClosed) {
      await new Promise<void>((resolve) => {
        this.#waiters.push(resolve);
      });
    }
  }

  /** Writes and syncs what is queued and closes the file. Disk errors are reported, not retried. */
  async close(): Promise<void> {
    this.#fragmenter.flush();
    await this.#writer.close();
    this.#wake();
  }

  #enqueue(fragment: Fragment): void {
    const isAlarm = this.#options.isAlarm?.(fragment.wallMs) ?? false;
    if (!this.#queue.add({ ...fragment, isAlarm })) return;
    this.#unstoredSinceMs ??= this.#options.monotonicMs();
    this.#writer.start();
  }

  #proven(synced: SyncedFragments): void {
    const now = this.#options.monotonicMs();
    for (const { fragment, record } of synced) {
      this.#queue.proven(fragment);
      this.#loss.add(now - fragment.arrivedMs);
      this.#counters.fragmentsStored += 1;
      this.#counters.picturesStored += record.pictures;
      this.#counters.bytesStored += record.totalBytes;
      this.#lastStoredMs = record.wallMs;
      this.#lastProvenMs = now;
    }
    this.#unstoredSinceMs = this.#queue.bytes > 0 ? now : null;
    this.#wake();
  }

  #wake(): void {
    const waiters = this.#waiters;
    this.#waiters = [];
    for (const wake of waiters) wake();
  }
}
