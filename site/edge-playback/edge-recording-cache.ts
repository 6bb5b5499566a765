// Cache of edge recordings fetched for playback: bounded, first in first out, deleted when the process ends.
import { SerialQueue } from '@vedette/foundation/concurrency/serial-queue.ts';
import type { Disk } from '@vedette/media/recordings/disk.ts';
import type { TrackKey } from '@vedette/media/recordings/recording-path.ts';
import type { GrowingFile, RecordingsSink } from '@vedette/media/recordings/recordings-sink.ts';
import { RecordingsStore } from '@vedette/media/recordings/recordings-store.ts';

export interface EdgeRecordingCacheOptions {
  readonly disk: Disk;
  readonly folder: string;
  readonly budgetBytes: number;
  /** Disk space to leave free, since cached data can be fetched again. */
  readonly reserveBytes: number;
  readonly onFault: (error: unknown) => void;
}

interface Kept {
  readonly key: TrackKey;
  readonly startMs: number;
}

/** The disk is too full for the cache. */
export class EdgeRecordingCacheFull extends Error {
  override readonly name = 'FetchedStoreFull';
}

export class EdgeRecordingCache implements RecordingsSink {
  readonly store: RecordingsStore;
  readonly #options: EdgeRecordingCacheOptions;
  /** Finished files, oldest first. */
  readonly #finished: Kept[] = [];
  #hasRoom = false;
  #opening: Promise<void> | null = null;
  readonly #tidying = new SerialQueue();

  constructor(options: EdgeRecordingCacheOptions) {
    this.#options = options;
    this.store = new RecordingsStore(options);
  }

  /** Clears what an earlier process left; checks the disk space. */
  async open(): Promise<void> {
    this.#opening ??= this.#empty();
    await this.#opening;
    await this.#measure();
  }

  async close(): Promise<void> {
    await this.#opening;
    await this.#tidying.drained();
    await this.#options.disk.removeTree(this.#options.folder);
  }

  folderForWriting(): string {
    if (!this.#hasRoom) throw new EdgeRecordingCacheFull('no room for fetched footage');
    return this.#options.folder;
  }

  opened(key: TrackKey, file: GrowingFile): void {
    this.store.opened(key, file);
  }

  stored(key: TrackKey, file: GrowingFile): void {
    this.store.stored(key, file);
  }

  closed(key: TrackKey, file: GrowingFile): void {
    this.store.closed(key, file);
    this.#finished.push({ key, startMs: file.startMs });
    this.#tidying.run(() => this.#tidy()).catch(this.#options.onFault);
  }

  failed(error: unknown): void {
    this.#options.onFault(error);
  }

  async #empty(): Promise<void> {
    const { disk, folder } = this.#options;
    await disk.removeTree(folder);
    await disk.makeFolder(folder);
  }

  async #measure(): Promise<void> {
    const { disk, folder, reserveBytes } = this.#options;
    this.#hasRoom = (await disk.space(folder)).freeBytes > reserveBytes;
  }

  async #tidy(): Promise<void> {
    await this.#measure();
    while (this.store.usedBytes > this.#options.budgetBytes || (!this.#hasRoom && this.#finished.length > 0)) {
      const oldest = this.#finished.shift();
      if (!oldest) return;
      await this.store.remove(oldest.key, oldest.startMs);
      await this.#measure();
    }
  }
}
