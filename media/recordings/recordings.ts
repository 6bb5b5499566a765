// The recordings of this site: opens the storage folder, lists files, applies retention, answers what is recorded.
import type { StorageHealth } from '@vedette/contract/site/site.ts';
import type { Disk } from './disk.ts';
import { verifyPresence } from './presence.ts';
import type { TrackKey } from './recording-path.ts';
import type { GrowingFile, RecordingsSink } from './recordings-sink.ts';
import { RecordingsStore } from './recordings-store.ts';
import { type RetentionLimits, type RetentionRules, sweep, type SweepReport } from './retention.ts';
import { scanFolder } from './scan-folder.ts';
import {
  conditionOf,
  NORMAL,
  type StorageCondition,
  StorageFolder,
  type StorageState,
  StorageUnavailable,
} from './storage-folder.ts';
import type { TrackNote } from './gaps/track-notes.ts';
import { type WriterFacts, WriterLease } from './writer-lease.ts';

/** Each recording is asked whether it is empty. */
const EXAMINE_ALL_EVERY_MS = 60_000;

export interface RecordingsLog {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
}

export interface RecordingsOptions {
  readonly disk: Disk;
  readonly folder: string;
  readonly limits: RetentionLimits;
  readonly rules: RetentionRules;
  readonly knownId: string | null;
  readonly newId: () => string;
  readonly writer: WriterFacts;
  readonly wallMs: () => number;
  readonly monotonicMs: () => number;
  readonly log: RecordingsLog;
}

export class Recordings implements RecordingsSink {
  readonly store: RecordingsStore;
  readonly #options: RecordingsOptions;
  readonly #storage: StorageFolder;
  readonly #lease: WriterLease;
  readonly #closing = new AbortController();
  #limits: RetentionLimits;
  #condition: StorageCondition = { state: 'missing', reason: 'absent' };
  /** A budget that locked recordings fill is reported as full, and recording goes on in the free space of the disk. */
  #hasRoom = false;
  #freeBytes = 0;
  #hasScanned = false;
  #isRefused = false;
  #examinedAll = Number.NEGATIVE_INFINITY;
  /** Since when only this process wrote; earlier times may be recorded twice. */
  #regainedMs = -Infinity;
  #checking: Promise<void> | null = null;
  #verifying: Promise<void> = Promise.resolve();

  constructor(options: RecordingsOptions) {
    this.#options = options;
    this.#limits = options.limits;
    this.store = new RecordingsStore({ disk: options.disk, folder: options.folder });
    this.#storage = new StorageFolder(options);
    this.#lease = new WriterLease({ ...options, facts: options.writer });
  }

  /** Identity of the folder once it was opened. */
  get storageId(): string | null {
    return this.#storage.id;
  }

  get folder(): string {
    return this.#options.folder;
  }

  get state(): StorageState {
    return this.#condition.state;
  }

  get condition(): StorageCondition {
    return this.#condition;
  }

  /** Whether fragments are accepted now. */
  get isWritable(): boolean {
    return this.#hasRoom && this.#lease.isHeld;
  }

  health(): StorageHealth {
    return {
      folder: this.folder,
      usedBytes: this.store.usedBytes,
      freeBytes: this.#freeBytes,
      budgetBytes: this.#limits.budgetBytes,
      ...this.#condition,
      oldestAt: this.store.oldestAt(),
    };
  }

  setLimits(limits: RetentionLimits): void {
    this.#limits = limits;
  }

  /** Opens the folder if necessary, verifies it, applies retention. Call every few seconds and after a fault; never rejects. */
  check(): Promise<void> {
    this.#checking ??= this.#check().finally(() => {
      this.#checking = null;
    });
    return this.#checking;
  }

  /** Close recorders first. Another process may write into the folder afterwards. */
  async close(): Promise<void> {
    this.#closing.abort();
    await this.#checking;
    await this.#verifying;
    try {
      if (this.#lease.isHeld) await this.store.writeNotes();
      await this.#lease.release();
    } catch (error) {
      this.#options.log.warn({ err: error }, 'the storage could not be let go');
    }
  }

  folderForWriting(): string {
    if (!this.#hasRoom) throw new StorageUnavailable(this.#condition);
    this.assertHeld();
    return this.folder;
  }

  assertHeld(): void {
    if (this.#lease.isHeld) return;
    void this.check();
    throw new StorageUnavailable({ state: 'missing', reason: 'inUse' });
  }

  isOutdated(arrivedMs: number): boolean {
    return arrivedMs < this.#regainedMs;
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
    const condition = conditionOf(error);
    if (condition.state === 'full') this.#isRefused = true;
    else this.#setCondition(condition, false);
    void this.check();
  }

  /** Alarm marks and new reasons are written at once, the end of a reason with the next check. */
  note(key: TrackKey, note: TrackNote): void {
    const isNew = this.store.note(key, note);
    if (isNew || note.kind === 'alarm') void this.check();
  }

  async #check(): Promise<void> {
    try {
      const found = await this.#examine();
      if (found.state !== 'normal') {
        this.#setCondition(found, false);
        return;
      }
      await this.#measure();
      const report = await sweep({
        store: this.store,
        limits: this.#limits,
        rules: this.#options.rules,
        now: this.#options.wallMs(),
        freeBytes: () => this.#measure(),
        examinesAll: this.#isExaminationDue(),
        isRefused: this.#isRefused,
      });
      this.#isRefused = false;
      if (report.filesRemoved > 0) {
        const { filesRemoved, bytesRemoved } = report;
        this.#options.log.info({ filesRemoved, bytesRemoved }, 'old recordings were removed');
      }
      this.#setCondition(conditionAfter(report), report.hasRoom);
      if (report.hasRoom) await this.store.writeNotes();
    } catch (error) {
      this.#options.log.warn({ err: error }, 'storage check failed');
      this.#setCondition(conditionOf(error), false);
    }
  }

  #isExaminationDue(): boolean {
    const now = this.#options.monotonicMs();
    const isDue = now - this.#examinedAll >= EXAMINE_ALL_EVERY_MS;
    if (isDue) this.#examinedAll = now;
    return isDue;
  }

  async #examine(): Promise<StorageCondition> {
    if (this.#hasScanned && this.#hasRoom) {
      if (!(await this.#storage.isSamePlace())) return { state: 'missing', reason: 'absent' };
      return await this.#holdLease();
    }
    const opened = await this.#storage.open();
    if (opened.state === 'missing' || (opened.state === 'failing' && !this.#hasScanned)) return opened;
    const held = await this.#holdLease();
    if (held.state !== 'normal') return held;
    if (!this.#hasScanned) await this.#scan();
    if (opened.state !== 'full') return opened;
    // Space must be freed before the next attempt.
    this.#isRefused = true;
    return NORMAL;
  }

  /** Another process may have written meanwhile: the folder is read again. */
  async #holdLease(): Promise<StorageCondition> {
    const outcome = await this.#lease.renew();
    if (outcome === 'refused') {
      this.#hasScanned = false;
      return { state: 'missing', reason: 'inUse' };
    }
    if (outcome === 'regained') {
      this.#regainedMs = this.#options.monotonicMs();
      this.#hasScanned = false;
      await this.#verifying;
      await this.#scan();
    }
    return NORMAL;
  }

  async #scan(): Promise<void> {
    const { disk, log, wallMs } = this.#options;
    const began = wallMs();
    const report = await scanFolder({
      disk,
      folder: this.folder,
      onFault: (path, error) => log.warn({ path, err: error }, 'a recorded file could not be checked'),
    });
    this.store.clear();
    this.store.load(report.tracks);
    this.#releaseRemote();
    this.store.noteDown(wallMs());
    this.#hasScanned = true;
    const files = report.tracks.reduce((sum, track) => sum + track.entries.length, 0);
    const { repaired, removed } = report;
    log.info({ files, repaired, removed, tookMs: wallMs() - began }, 'recordings were listed');
    this.#verifying = this.#verify(report.tracks);
  }

  #releaseRemote(): void {
    const { copies } = this.#options.rules;
    if (!copies) return;
    for (const { key, files } of this.store.tracks) {
      for (const file of files) if (copies.placeOf(key, file) === 'remote') this.store.released(key, file.startMs);
    }
  }

  /** Start trusts the catalogs; sizes are checked in the background. */
  async #verify(tracks: Parameters<typeof verifyPresence>[0]['tracks']): Promise<void> {
    const { disk, log } = this.#options;
    try {
      const { signal } = this.#closing;
      const report = await verifyPresence({ disk, folder: this.folder, store: this.store, tracks, signal });
      if (report.repaired + report.removed > 0) log.warn(report, 'recorded files were not as their catalog says');
    } catch (error) {
      log.warn({ err: error }, 'recorded files could not be compared with their catalog');
    }
  }

  async #measure(): Promise<number> {
    this.#freeBytes = (await this.#options.disk.space(this.folder)).freeBytes;
    return this.#freeBytes;
  }

  #setCondition(condition: StorageCondition, hasRoom: boolean): void {
    const before = this.#condition;
    const had = this.#hasRoom;
    this.#condition = condition;
    this.#hasRoom = hasRoom;
    if (condition.state === before.state && condition.reason === before.reason && hasRoom === had) return;
    const change = { from: before.state, to: condition.state, reason: condition.reason, folder: this.folder };
    if (hasRoom) this.#options.log.info(change, 'the storage takes recordings');
    else this.#options.log.warn(change, 'the storage takes no recordings');
  }
}

function conditionAfter({ blockage }: SweepReport): StorageCondition {
  return blockage === null ? NORMAL : { state: 'full', reason: blockage };
}
