// Syncs the files of a recorder, each one at most once at a time, and ends them after their last sync.
import { VIDEO_TIMESCALE } from '../recordings/index-record.ts';
import type { RecordingFile, SyncedFragments } from './recording-file.ts';

export interface FileSyncsOptions {
  readonly monotonicMs: () => number;
  /** Backfill: one sync at the end of each file; a lost tail is fetched again. */
  readonly syncAtEndOnly: boolean;
  /** These fragments are on disk. */
  readonly proven: (file: RecordingFile, synced: SyncedFragments) => void;
  /** The file ended, or failed. */
  readonly closed: (file: RecordingFile) => void;
  /** A sync or close failed: nothing more may be written to the file. */
  readonly failed: (file: RecordingFile, error: unknown) => Promise<void>;
}

/**
 * This much is synced together, usually two fragments: a power cut may lose it and what is being synced, within the
 * allowed two seconds. Fewer syncs spare the disk.
 */
const SYNC_TICKS = 0.8 * VIDEO_TIMESCALE;
/** A slow stream is synced by age instead. */
const SYNC_AGE_MS = 1100;
/** Unsynced bytes that backfill may leave. */
const SYNC_LATE_BYTES = 4 * 1024 * 1024;

export class FileSyncs {
  readonly #options: FileSyncsOptions;
  /** Running syncs and closes, at most one per file. */
  readonly #underWay = new Map<RecordingFile, Promise<void>>();
  /** Files that are closing or failed: no further sync starts. */
  readonly #leaving = new WeakSet<RecordingFile>();
  readonly #givenUp = new WeakSet<RecordingFile>();

  constructor(options: FileSyncsOptions) {
    this.#options = options;
  }

  /** Starts a sync if due; fragments written meanwhile join the next one. */
  look(file: RecordingFile): void {
    if (!this.#underWay.has(file) && this.#isDue(file)) this.#track(file, this.#sync(file));
  }

  /** Syncs and closes the file. Nothing may be written to it afterwards. */
  finish(file: RecordingFile): void {
    this.#leaving.add(file);
    const before = this.#underWay.get(file) ?? Promise.resolve();
    this.#track(
      file,
      before.then(async () => {
        while (file.unsynced.ticks > 0 && !this.#givenUp.has(file)) await this.#sync(file);
        if (!this.#givenUp.has(file)) await this.#guard(file, () => file.finish());
        this.#options.closed(file);
      }),
    );
  }

  /** False if it was abandoned before. */
  giveUp(file: RecordingFile): boolean {
    if (this.#givenUp.has(file)) return false;
    this.#leaving.add(file);
    this.#givenUp.add(file);
    return true;
  }

  /** Starts no further sync; resolves when the running one has ended. */
  async settle(file: RecordingFile): Promise<void> {
    this.#leaving.add(file);
    await this.#underWay.get(file);
  }

  async allSettled(): Promise<void> {
    await Promise.all(this.#underWay.values());
  }

  #isDue(file: RecordingFile): boolean {
    const { ticks, bytes, since } = file.unsynced;
    if (this.#options.syncAtEndOnly) return bytes > SYNC_LATE_BYTES;
    return ticks >= SYNC_TICKS || (since !== null && this.#options.monotonicMs() - since >= SYNC_AGE_MS);
  }

  #track(file: RecordingFile, work: Promise<void>): void {
    const tracked = work.finally(() => {
      if (this.#underWay.get(file) === tracked) this.#underWay.delete(file);
      // A fragment may have been written between the last sync and this line.
      if (!this.#leaving.has(file)) this.look(file);
    });
    this.#underWay.set(file, tracked);
  }

  async #sync(file: RecordingFile): Promise<void> {
    await this.#guard(file, async () => this.#options.proven(file, await file.sync()));
  }

  async #guard(file: RecordingFile, work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      await this.#options.failed(file, error);
    }
  }
}
