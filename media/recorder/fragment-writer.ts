// Writes the fragments of a queue into files, one after another; after a disk failure it continues in another file, with backoff.
import { Backoff } from '@vedette/foundation/backoff/backoff.ts';
import { type Disk, errorCode } from '../recordings/disk.ts';
import type { TrackKey } from '../recordings/recording-path.ts';
import type { RecordingsSink } from '../recordings/recordings-sink.ts';
import { FileSyncs } from './file-syncs.ts';
import type { Fragment } from './fragment.ts';
import type { FragmentQueue } from './fragment-queue.ts';
import { RecordingFile, type SyncedFragments } from './recording-file.ts';

export interface FragmentWriterOptions {
  readonly disk: Disk;
  readonly key: TrackKey;
  readonly sink: RecordingsSink;
  readonly queue: FragmentQueue;
  readonly monotonicMs: () => number;
  readonly wait: (ms: number, signal: AbortSignal) => Promise<void>;
  readonly syncAtEndOnly: boolean;
  readonly count: (counter: 'filesStarted' | 'filesAbandoned') => void;
  /** These fragments are on disk and in the index. */
  readonly proven: (synced: SyncedFragments) => void;
  readonly onFault: (error: unknown) => void;
}

const RETRY_FIRST_MS = 250;
const RETRY_MAX_MS = 2000;

export class FragmentWriter {
  readonly #options: FragmentWriterOptions;
  readonly #syncs: FileSyncs;
  readonly #ended = new AbortController();
  #file: RecordingFile | null = null;
  /** Of the file that is written or created. */
  #folder: string | null = null;
  #running: Promise<void> | null = null;
  #writing: Promise<void> = Promise.resolve();
  /** No more will come: the file is closed when all is written. */
  #isResting = false;
  #isSkipping = false;
  /** Closed, then the disk failed. */
  #hasGivenUp = false;
  readonly #retry = new Backoff({ firstMs: RETRY_FIRST_MS, maxMs: RETRY_MAX_MS, jitter: 0 }, () => 0);

  constructor(options: FragmentWriterOptions) {
    this.#options = options;
    const { monotonicMs, syncAtEndOnly, key, sink } = options;
    this.#syncs = new FileSyncs({
      monotonicMs,
      syncAtEndOnly,
      proven: (file, synced) => {
        options.proven(synced);
        this.#retry.reset();
        sink.stored(key, file);
      },
      closed: (file) => sink.closed(key, file),
      failed: async (file, error) => {
        this.#fault(error, file.folder);
        await this.#abandon(file);
      },
    });
  }

  get isWriting(): boolean {
    return this.#file !== null;
  }

  get isClosed(): boolean {
    return this.#ended.signal.aborted;
  }

  /** The queue has something to write. */
  start(): void {
    this.#isResting = false;
    this.#run();
  }

  /** A pause: writes what is queued and closes the file. */
  rest(): void {
    this.#isResting = true;
    this.#run();
  }

  tick(): void {
    if (this.#file) this.#syncs.look(this.#file);
  }

  /** Writes and syncs what is queued and closes the file. Disk errors are reported, not retried. */
  async close(): Promise<void> {
    this.#ended.abort();
    // Fragments that arrived while one run ended are left to the next run.
    while (this.#running) await this.#running;
    this.#endFile();
    await this.#syncs.allSettled();
  }

  #run(): void {
    this.#running ??= this.#drain().finally(() => {
      this.#running = null;
      if (!this.#options.queue.isEmpty && !this.#hasGivenUp) this.#run();
    });
  }

  async #drain(): Promise<void> {
    const { queue } = this.#options;
    for (let next = queue.take(); next; next = queue.take()) {
      if (this.#isOutdated(next)) {
        queue.discard(next);
        continue;
      }
      try {
        const file = await this.#fileFor(next);
        this.#writing = file.write(next);
        await this.#writing;
        queue.written(next);
        this.#syncs.look(file);
      } catch (error) {
        queue.failed();
        if (errorCode(error) === 'ETIMEDOUT') keepMemory(next);
        this.#hasGivenUp = this.isClosed;
        this.#fault(error, this.#folder);
        await this.#failWrite();
        if (this.#hasGivenUp) return;
        await this.#backOff();
      }
    }
    if (this.#isResting) this.#endFile();
  }

  /** Skips to the next keyframe: a file starts with one. */
  #isOutdated(fragment: Fragment): boolean {
    const isOld = this.#options.sink.isOutdated?.(fragment.arrivedMs) ?? false;
    if (isOld) this.#isSkipping = true;
    else if (fragment.isKey) this.#isSkipping = false;
    return isOld || this.#isSkipping;
  }

  async #fileFor(fragment: Fragment): Promise<RecordingFile> {
    const { disk, key, sink, count } = this.#options;
    // Frames before the next keyframe could not be decoded without those that are left behind.
    if (this.#file && fragment.isKey && sink.takesMore?.(this.#file.folder) === false) this.#endFile();
    if (this.#file) {
      this.#folder = this.#file.folder;
      // Checked before each write: this process may have been stalled.
      sink.assertHeld?.(this.#folder);
      if (this.#file.takes(fragment)) return this.#file;
      this.#endFile();
    }
    this.#folder = null;
    const folder = sink.folderForWriting(key, fragment.wallMs);
    this.#folder = folder;
    const isTaken = (startMs: number): boolean => sink.has?.(key, startMs) ?? false;
    const file = await RecordingFile.create({ disk, key, folder, first: fragment, isTaken });
    this.#file = file;
    count('filesStarted');
    sink.opened(key, file);
    return file;
  }

  #endFile(): void {
    if (this.#file) this.#syncs.finish(this.#file);
    this.#file = null;
  }

  #fault(error: unknown, folder: string | null): void {
    this.#options.onFault(error);
    this.#options.sink.failed(error, folder);
  }

  /** A running sync may still confirm fragments written before the failed write. */
  async #failWrite(): Promise<void> {
    const file = this.#file;
    if (!file) return;
    this.#file = null;
    await this.#syncs.settle(file);
    await this.#abandon(file);
  }

  /** After a failed write or sync the file is abandoned; unsynced fragments go to another one. */
  async #abandon(file: RecordingFile): Promise<void> {
    if (!this.#syncs.giveUp(file)) return;
    const { queue, key, sink, count, onFault } = this.#options;
    count('filesAbandoned');
    if (this.#file === file) this.#file = null;
    await Promise.allSettled([this.#writing]);
    queue.putBack(file.takeUnsynced());
    sink.closed(key, file);
    try {
      await file.close();
    } catch (error) {
      onFault(error);
    }
    if (!this.isClosed && !queue.isEmpty) this.#run();
  }

  async #backOff(): Promise<void> {
    const waitMs = this.#retry.next();
    await this.#options.wait(waitMs, this.#ended.signal);
  }
}

/** The kernel may read it until the disk answers. */
function keepMemory({ slabs }: Fragment): void {
  for (const slab of slabs) slab.keep();
}
