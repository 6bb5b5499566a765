// Syncs the files of a recorder, each one at most once at a time, and ends them after their last sync.
import { VIDEO_TIMESCALE } from '../recordings/index-record.ts';
import type { RecordingFile, SyncedFragments } from './recording-file.ts';

export interface FileSyncsOptions {
  readonly monotonicMs: () => number;
  /** Back-fill: one sync at the end of each file; a lost tail is pulled again. */
  readonly syncAtEndOnly: boolean;
  /** These are proven to be on the disk. */
  readonly proven: (file: RecordingFile, synced: SyncedFragments) => void;
  /** Nothing follows in it: it was ended, or it failed meanwhile. */
  readonly closed: (file: RecordingFile) => void;
  /** A sync or the end of a file failed: nothing more is to go into it. */
  readonly failed: (file: RecordingFile, error: unknown) => Promise<void>;
}

/**
 * So much of a recording is synced together, two fragments most often: a power cut may take this, and what is being synced, of the
 * two seconds that may be lost. Half as many syncs are half the work of the disk.
 */
const SYNC_TICKS = 0.8 * VIDEO_TIMESCALE;
/** A stream that became slow is synced by its age. */
const SYNC_AGE_MS = 1100;
/** How much a back-fill leaves unsynced. */
const SYNC_LATE_BYTES = 4 * 1024 * 1024;

export class FileSyncs {
  readonly #options: FileSyncsOptions;
  /** Syncs and endings under way, per file at most one at a time. */
  readonly #underWay = new Map<RecordingFile, Promise<void>>();
  /** They are being ended, or a write failed: no further sync is begun. */
  readonly #leaving = new WeakSet<RecordingFile>();
  readonly #givenUp = new WeakSet<RecordingFile>();

  constructor(options: FileSyncsOptions) {
    this.#options = options;
  }

  /** Begins a sync where it is time; fragments written meanwhile join the next one. */
  look(file: RecordingFile): void {
    if (!this.#underWay.has(file) && this.#isDue(file)) this.#track(file, this.#sync(file));
  }

  /** Syncs what it holds and ends it. Nothing may be written into it any more. */
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

  /** False where it was given up before. */
  giveUp(file: RecordingFile): boolean {
    if (this.#givenUp.has(file)) return false;
    this.#leaving.add(file);
    this.#givenUp.add(file);
    return true;
  }

  /** No further sync is begun; resolves when the one under way is over. */
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
