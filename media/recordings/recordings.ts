// The recordings of this site: opens the storage folder, keeps the list of files, removes by age and size, answers what is recorded.
import type { StorageHealth } from '@vedette/contract/site.ts';
import type { Disk } from './disk.ts';
import type { TrackKey } from './recording-path.ts';
import type { GrowingFile, RecordingsSink } from './recordings-sink.ts';
import { RecordingsStore } from './recordings-store.ts';
import { type RetentionLimits, sweep } from './retention.ts';
import { scanFolder } from './scan-folder.ts';
import { StorageFolder, type StorageState, StorageUnavailable, stateOf } from './storage-folder.ts';

export interface RecordingsLog {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
}

export interface RecordingsOptions {
  readonly disk: Disk;
  readonly folder: string;
  readonly limits: RetentionLimits;
  readonly knownId: string | null;
  readonly newId: () => string;
  readonly wallMs: () => number;
  readonly retentionDays: (channelId: string) => number | null;
  readonly log: RecordingsLog;
}

export class Recordings implements RecordingsSink {
  readonly store: RecordingsStore;
  readonly #options: RecordingsOptions;
  readonly #storage: StorageFolder;
  #limits: RetentionLimits;
  #state: StorageState = 'missing';
  #freeBytes = 0;
  #hasScanned = false;
  #isRefused = false;
  #checking: Promise<void> | null = null;

  constructor(options: RecordingsOptions) {
    this.#options = options;
    this.#limits = options.limits;
    this.store = new RecordingsStore({ disk: options.disk, folder: options.folder });
    this.#storage = new StorageFolder(options);
  }

  /** Identity of the folder once it was opened. */
  get storageId(): string | null {
    return this.#storage.id;
  }

  get folder(): string {
    return this.#options.folder;
  }

  get state(): StorageState {
    return this.#state;
  }

  health(): StorageHealth {
    return {
      folder: this.folder,
      usedBytes: this.store.usedBytes,
      freeBytes: this.#freeBytes,
      budgetBytes: this.#limits.budgetBytes,
      state: this.#state,
      reason: null,
      oldestAt: this.store.oldestAt(),
    };
  }

  setLimits(limits: RetentionLimits): void {
    this.#limits = limits;
  }

  /** Opens the folder when it is not open, proves it, removes what must go. Call every few seconds and after a fault; never fails. */
  check(): Promise<void> {
    this.#checking ??= this.#check().finally(() => {
      this.#checking = null;
    });
    return this.#checking;
  }

  folderForWriting(): string {
    if (this.#state !== 'normal') throw new StorageUnavailable(this.#state);
    return this.folder;
  }

  opened(key: TrackKey, file: GrowingFile): void {
    this.store.opened(key, file);
  }

  stored(key: TrackKey, file: GrowingFile): void {
    this.store.stored(key, file);
  }

  closed(key: TrackKey, file: GrowingFile): void {
    this.store.closed(key, file);
  }

  failed(error: unknown): void {
    if (error instanceof StorageUnavailable) return;
    const state = stateOf(error);
    if (state === 'full') this.#isRefused = true;
    else this.#setState(state);
    void this.check();
  }

  async #check(): Promise<void> {
    try {
      const next = await this.#examine();
      if (next !== 'normal') {
        this.#setState(next);
        return;
      }
      await this.#measure();
      const report = await sweep({
        store: this.store,
        limits: this.#limits,
        now: this.#options.wallMs(),
        retentionDays: this.#options.retentionDays,
        freeBytes: () => this.#measure(),
        isRefused: this.#isRefused,
      });
      this.#isRefused = false;
      if (report.filesRemoved > 0) this.#options.log.info(report, 'old recordings were removed');
      this.#setState(report.isFull ? 'full' : 'normal');
    } catch (error) {
      this.#options.log.warn({ err: error }, 'storage check failed');
      this.#setState(stateOf(error));
    }
  }

  async #examine(): Promise<StorageState> {
    if (this.#hasScanned && this.#state === 'normal') {
      return (await this.#storage.isSamePlace()) ? 'normal' : 'missing';
    }
    const opened = await this.#storage.open();
    if (opened === 'missing' || (opened === 'failing' && !this.#hasScanned)) return opened;
    if (!this.#hasScanned) await this.#scan();
    // A full disk is swept, and then proves itself at the next check.
    return opened === 'full' ? 'normal' : opened;
  }

  async #scan(): Promise<void> {
    const { disk, log, wallMs } = this.#options;
    const began = wallMs();
    const report = await scanFolder({
      disk,
      folder: this.folder,
      onFault: (path, error) => log.warn({ path, err: error }, 'a recorded file could not be checked'),
    });
    this.store.load(report.tracks);
    this.#hasScanned = true;
    const files = report.tracks.reduce((sum, track) => sum + track.entries.length, 0);
    const { repaired, removed } = report;
    log.info({ files, repaired, removed, tookMs: wallMs() - began }, 'recordings were listed');
  }

  async #measure(): Promise<number> {
    this.#freeBytes = (await this.#options.disk.space(this.folder)).freeBytes;
    return this.#freeBytes;
  }

  #setState(state: StorageState): void {
    if (state === this.#state) return;
    const { log } = this.#options;
    const change = { from: this.#state, to: state, folder: this.folder };
    if (state === 'normal') log.info(change, 'the storage takes recordings');
    else log.warn(change, 'the storage takes no recordings');
    this.#state = state;
  }
}
