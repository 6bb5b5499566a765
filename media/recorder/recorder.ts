// Records one stream: takes access units, keeps a bounded queue of fragments, writes files of about a minute and survives a failing disk.
import type { TrackKey } from '../recordings/recording-path.ts';
import type { Disk } from '../recordings/disk.ts';
import { VIDEO_TIMESCALE } from '../recordings/index-record.ts';
import type { RecordingsSink } from '../recordings/recordings-sink.ts';
import type { TimeRange } from '../recordings/track-notes.ts';
import type { AccessUnit, DiscontinuityReason, MediaFormat, SourceState, StreamConsumer } from '../stream/stream.ts';
import { type Fragment, fragmentBytes } from './fragment.ts';
import { FragmentCutter } from './fragment-cutter.ts';
import { FragmentQueue } from './fragment-queue.ts';
import { LossWindow, type LossWindowReport } from './loss-window.ts';
import { RecordingFile } from './recording-file.ts';

const FILE_TICKS = 60 * VIDEO_TIMESCALE;
/** A stream without key frames is cut anyway, so that its file does not grow for ever. */
const FILE_MAX_TICKS = 600 * VIDEO_TIMESCALE;
/** Within a file the timeline sees no gap. */
const FILE_GAP_TICKS = 2 * VIDEO_TIMESCALE;
/** Offsets of the index are 32 bits. */
const FILE_MAX_BYTES = 2 ** 31;
const QUEUE_MAX_BYTES = 8 * 1024 * 1024;
/**
 * So much footage is synced together, two fragments most often: a power cut may take this, and what is being synced, of the
 * two seconds that may be lost. Half as many syncs are half the work of the disk.
 */
const SYNC_TICKS = 0.8 * VIDEO_TIMESCALE;
/** A stream that became slow is synced by its age. */
const SYNC_AGE_MS = 900;
/** How much a back-fill leaves unsynced. */
const SYNC_LATE_BYTES = 4 * 1024 * 1024;
const RETRY_FIRST_MS = 250;
const RETRY_MAX_MS = 2000;

export interface RecorderOptions {
  readonly disk: Disk;
  readonly key: TrackKey;
  readonly sink: RecordingsSink;
  readonly monotonicMs: () => number;
  readonly wait: (ms: number, signal: AbortSignal) => Promise<void>;
  readonly newRunId: () => number;
  /** Told of every abandoned file. */
  readonly onFault: (error: unknown) => void;
  readonly queueMaxBytes?: number;
  /** Footage of an event; its fragments are marked. */
  readonly isAlarm?: (wallMs: number) => boolean;
  /** Footage that the disk was too slow to take. */
  readonly onMissing?: (range: TimeRange) => void;
  /** Back-fill: one sync at the end of each file; a lost tail is pulled again. */
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
  readonly #options: RecorderOptions;
  readonly #cutter: FragmentCutter;
  readonly #ended = new AbortController();
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
  readonly #queue: FragmentQueue;
  #file: RecordingFile | null = null;
  #pumping: Promise<void> | null = null;
  #writing: Promise<void> = Promise.resolve();
  /** Syncs and endings under way, per file at most one at a time. */
  readonly #syncing = new Map<RecordingFile, Promise<void>>();
  readonly #abandoned = new WeakSet<RecordingFile>();
  /** Nothing more is expected: the file is ended when all is written. */
  #isResting = false;
  #isSkipping = false;
  #retryMs = RETRY_FIRST_MS;
  #lastStoredMs: number | null = null;
  #waiters: (() => void)[] = [];

  constructor(options: RecorderOptions) {
    this.#options = options;
    this.#queue = new FragmentQueue({
      maxBytes: options.queueMaxBytes ?? QUEUE_MAX_BYTES,
      dropped: (counter, pictures) => {
        this.#counters[counter] += pictures;
      },
      missing: (range) => options.onMissing?.(range),
    });
    this.#cutter = new FragmentCutter({
      monotonicMs: options.monotonicMs,
      newRunId: options.newRunId,
      emit: (fragment) => this.#enqueue(fragment),
      drop: (counter) => {
        this.#counters[counter] += 1;
      },
    });
  }

  format(format: MediaFormat): void {
    this.#cutter.format(format);
  }

  accessUnit(unit: AccessUnit): void {
    this.#cutter.accessUnit(unit);
  }

  discontinuity(reason: DiscontinuityReason): void {
    this.#cutter.discontinuity(reason);
  }

  state(state: SourceState): void {
    if (state.state !== 'playing') this.#cutter.flush();
  }

  /** Call about four times a second. */
  tick(): void {
    this.#cutter.tick();
    if (this.#file && this.#isSyncDue(this.#file)) this.#startSync(this.#file);
  }

  report(): RecorderReport {
    return {
      isWriting: this.#file !== null,
      lastStoredMs: this.#lastStoredMs,
      loss: this.#loss.report(),
      counters: { ...this.#counters },
    };
  }

  /** Bytes taken and not yet proven to be on the disk. */
  get queuedBytes(): number {
    return this.#queue.bytes;
  }

  /** So many bytes follow at once, from memory that is held anyway. */
  expectBurst(bytes: number): void {
    this.#queue.expectBurst(bytes);
  }

  /** For the time being nothing more comes: what is at hand is written and the file ended. */
  rest(): void {
    this.#cutter.discontinuity('connected');
    this.#isResting = true;
    this.#startPump();
  }

  /** Resolves when less than `bytes` wait to be stored: the brake of a back-fill. */
  async room(bytes: number): Promise<void> {
    while (this.#queue.bytes > bytes && !this.#ended.signal.aborted) {
      await new Promise<void>((resolve) => {
        this.#waiters.push(resolve);
      });
    }
  }

  /** Writes and syncs what is at hand and closes the file. A disk that fails now is reported, not retried. */
  async close(): Promise<void> {
    this.#cutter.flush();
    this.#ended.abort();
    await this.#pumping;
    if (this.#file) this.#finish(this.#file);
    this.#file = null;
    await Promise.all(this.#syncing.values());
    this.#wake();
  }

  #enqueue(fragment: Fragment): void {
    const isAlarm = this.#options.isAlarm?.(fragment.wallMs) ?? false;
    if (!this.#queue.add({ ...fragment, isAlarm })) return;
    this.#isResting = false;
    this.#startPump();
  }

  #startPump(): void {
    this.#pumping ??= this.#pump().finally(() => {
      this.#pumping = null;
      if (!this.#queue.isEmpty && !this.#ended.signal.aborted) this.#startPump();
    });
  }

  async #pump(): Promise<void> {
    for (let next = this.#queue.take(); next; next = this.#queue.take()) {
      if (this.#isOutdated(next)) {
        this.#queue.discard(next);
        continue;
      }
      try {
        const file = await this.#fileFor(next);
        this.#writing = file.write(next);
        await this.#writing;
        this.#queue.written(next);
        if (this.#isSyncDue(file)) this.#startSync(file);
      } catch (error) {
        this.#queue.failed();
        this.#options.onFault(error);
        this.#options.sink.failed(error);
        await this.#failWrite();
        if (this.#ended.signal.aborted) return;
        await this.#backOff();
      }
    }
    if (this.#isResting && this.#file) {
      this.#finish(this.#file);
      this.#file = null;
    }
  }

  /** Up to the next key picture, once one is: a file begins with one. */
  #isOutdated(fragment: Fragment): boolean {
    const isOld = this.#options.sink.isOutdated?.(fragment.arrivedMs) ?? false;
    if (isOld) this.#isSkipping = true;
    else if (fragment.isKey) this.#isSkipping = false;
    return isOld || this.#isSkipping;
  }

  async #fileFor(fragment: Fragment): Promise<RecordingFile> {
    const { disk, key, sink } = this.#options;
    // Asked before each write: this process may have stood still for long.
    sink.assertHeld?.();
    const current = this.#file;
    if (current && !this.#mustRotate(current, fragment)) return current;
    if (current) this.#finish(current);
    this.#file = null;
    const file = await RecordingFile.create({ disk, key, folder: sink.folderForWriting(), first: fragment });
    this.#file = file;
    this.#counters.filesStarted += 1;
    sink.opened(key, file);
    return file;
  }

  #mustRotate(file: RecordingFile, fragment: Fragment): boolean {
    if (!file.continues(fragment) || file.gapTicks(fragment) >= FILE_GAP_TICKS) return true;
    if (file.mediaBytes + fragmentBytes(fragment) > FILE_MAX_BYTES) return true;
    const elapsed = file.elapsedTicks(fragment);
    return elapsed >= FILE_MAX_TICKS || (fragment.isKey && elapsed >= FILE_TICKS);
  }

  #isSyncDue(file: RecordingFile): boolean {
    const { ticks, bytes, since } = file.unsynced;
    if (this.#options.syncAtEndOnly) return bytes > SYNC_LATE_BYTES;
    return ticks >= SYNC_TICKS || (since !== null && this.#options.monotonicMs() - since >= SYNC_AGE_MS);
  }

  /** At most one sync per file is under way; fragments written meanwhile join the next one. */
  #startSync(file: RecordingFile): void {
    if (this.#syncing.has(file)) return;
    this.#track(file, this.#syncOnce(file));
  }

  #finish(file: RecordingFile): void {
    const before = this.#syncing.get(file) ?? Promise.resolve();
    this.#track(
      file,
      before.then(async () => {
        while (file.unsynced.ticks > 0 && !this.#isAbandoned(file)) await this.#syncOnce(file);
        if (!this.#isAbandoned(file)) await this.#guard(file, () => file.finish());
        this.#options.sink.closed(this.#options.key, file);
      }),
    );
  }

  #track(file: RecordingFile, work: Promise<void>): void {
    const tracked = work.finally(() => {
      if (this.#syncing.get(file) === tracked) this.#syncing.delete(file);
      // A fragment may have been written between the last sync and this line.
      if (this.#file === file && this.#isSyncDue(file)) this.#startSync(file);
    });
    this.#syncing.set(file, tracked);
  }

  #isAbandoned(file: RecordingFile): boolean {
    return this.#abandoned.has(file);
  }

  async #syncOnce(file: RecordingFile): Promise<void> {
    await this.#guard(file, async () => {
      const synced = await file.sync();
      const now = this.#options.monotonicMs();
      for (const { fragment, record } of synced) {
        this.#queue.proven(fragment);
        this.#loss.add(now - fragment.arrivedMs);
        this.#counters.fragmentsStored += 1;
        this.#counters.picturesStored += record.pictures;
        this.#counters.bytesStored += record.totalBytes;
        this.#lastStoredMs = record.wallMs;
      }
      this.#retryMs = RETRY_FIRST_MS;
      this.#options.sink.stored(this.#options.key, file);
      this.#wake();
    });
  }

  async #guard(file: RecordingFile, work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      this.#options.onFault(error);
      this.#options.sink.failed(error);
      await this.#abandon(file);
    }
  }

  /** A sync under way may still prove what was written before the write that failed. */
  async #failWrite(): Promise<void> {
    const file = this.#file;
    if (!file) return;
    this.#file = null;
    await this.#syncing.get(file);
    await this.#abandon(file);
  }

  /** After a failed write or sync nothing more goes into that file; what it did not prove goes into another one. */
  async #abandon(file: RecordingFile): Promise<void> {
    if (this.#isAbandoned(file)) return;
    this.#abandoned.add(file);
    this.#counters.filesAbandoned += 1;
    if (this.#file === file) this.#file = null;
    await Promise.allSettled([this.#writing]);
    this.#queue.putBack(file.takeUnsynced());
    this.#options.sink.closed(this.#options.key, file);
    try {
      await file.close();
    } catch (error) {
      this.#options.onFault(error);
    }
    if (!this.#ended.signal.aborted && !this.#queue.isEmpty) this.#startPump();
  }

  async #backOff(): Promise<void> {
    const waitMs = this.#retryMs;
    this.#retryMs = Math.min(waitMs * 2, RETRY_MAX_MS);
    await this.#options.wait(waitMs, this.#ended.signal);
  }

  #wake(): void {
    const waiters = this.#waiters;
    this.#waiters = [];
    for (const wake of waiters) wake();
  }
}
