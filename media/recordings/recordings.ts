// The recordings in one storage folder: opens it, lists its files, applies retention, answers what is recorded.
import type { StorageReason } from '@vedette/contract/enumerations.ts';
import type { DiskHealth } from '@vedette/contract/site/site-disks.ts';
import type { Disk } from './disk.ts';
import { DiskDoubt } from './disk-doubt.ts';
import { FolderView, type SharedFolders } from './folder-view.ts';
import { verifyQuietly } from './presence.ts';
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
import { extentOf } from './gaps/away-files.ts';
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
  /** Absent: the only folder of its site. */
  readonly shared?: SharedFolders;
}

const REFUSED: StorageCondition = { state: 'failing', reason: 'refused' };
/** Its files cannot be read either. */
const AWAY: ReadonlySet<StorageReason> = new Set(['absent', 'notOurs', 'hangs']);

export class Recordings implements RecordingsSink {
  readonly store: RecordingsStore;
  readonly #options: RecordingsOptions;
  readonly #storage: StorageFolder;
  readonly #lease: WriterLease;
  readonly #doubt = new DiskDoubt();
  readonly #closing = new AbortController();
  #limits: RetentionLimits;
  #condition: StorageCondition = { state: 'missing', reason: 'absent' };
  /** A budget that locked recordings fill is reported as full, and recording goes on in the free space of the disk. */
  #hasRoom = false;
  #freeBytes = 0;
  #hasScanned = false;
  #wasListed = false;
  #isAway = true;
  #isRefused = false;
  /** Something failed since the running check began: it may have looked before. */
  #isCheckedAgain = false;
  #examinedAll = Number.NEGATIVE_INFINITY;
  /** Since when only this process wrote; earlier times may be recorded twice. */
  #regainedMs = -Infinity;
  #checking: Promise<void> | null = null;
  #verifying: Promise<void> = Promise.resolve();

  constructor(options: RecordingsOptions) {
    this.#options = options;
    this.#limits = options.limits;
    const { disk, folder, shared } = options;
    this.store = shared?.store ?? new RecordingsStore({ disk, folder });
    this.#storage = new StorageFolder({ ...options, isOurs: shared?.isOurs ?? (() => false) });
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

  /** Whether its files were listed since this process started. */
  get hasListed(): boolean {
    return this.#hasScanned;
  }

  /** Whether its files cannot be read. */
  get isAway(): boolean {
    return this.#isAway;
  }

  /** Whether fragments are accepted now. */
  get isWritable(): boolean {
    return this.#hasRoom && this.#lease.isHeld;
  }

  health(): Omit<DiskHealth, 'emptying'> {
    return {
      folder: this.folder,
      usedBytes: this.store.usedBytesOf(this.folder),
      freeBytes: this.#freeBytes,
      budgetBytes: this.#limits.budgetBytes,
      ...this.#condition,
      ...extentOf(this.store.rangesOf(this.folder)),
    };
  }

  /** What new recordings may take before something is removed, and what all may take; bytes. */
  room(): { readonly roomBytes: number; readonly capacityBytes: number } {
    const { budgetBytes, reserveBytes } = this.#limits;
    const usedBytes = this.store.usedBytesOf(this.folder);
    const spare = Math.max(0, this.#freeBytes - reserveBytes);
    return {
      roomBytes: Math.max(0, Math.min(budgetBytes - usedBytes, spare)),
      capacityBytes: Math.min(budgetBytes, usedBytes + spare),
    };
  }

  setLimits(limits: RetentionLimits): void {
    this.#limits = limits;
  }

  /** Opens the folder if necessary, verifies it, applies retention. Call every few seconds and after a fault; never rejects. */
  check(): Promise<void> {
    this.#checking ??= this.#checkUntilSure().finally(() => {
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
      if (this.#lease.isHeld && !this.#options.shared) await this.store.writeNotes();
      await this.#lease.release();
    } catch (error) {
      this.#options.log.warn({ err: error }, 'the storage could not be let go');
    }
  }

  folderForWriting(): string {
    // First: it has the folder looked at again after this process was stalled, whatever its condition was before.
    this.assertHeld();
    if (!this.#hasRoom) throw new StorageUnavailable(this.#condition);
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
    else if (this.#options.shared?.isOnly() === false && condition.reason !== 'hangs') this.#doubt.raise();
    else this.#setCondition(condition, false);
    this.#isCheckedAgain = true;
    void this.check();
  }

  /** Alarm marks and new reasons are written at once, the end of a reason with the next check. */
  note(key: TrackKey, note: TrackNote): void {
    const isNew = this.store.note(key, note);
    if (isNew || note.kind === 'alarm') void this.check();
  }

  async #checkUntilSure(): Promise<void> {
    do {
      this.#isCheckedAgain = false;
      await this.#check();
    } while (this.#isCheckedAgain && !this.#closing.signal.aborted);
  }

  async #check(): Promise<void> {
    try {
      const found = await this.#examine();
      if (found.state !== 'normal') {
        this.#setCondition(found, false);
        return;
      }
      // Before retention, which sees nothing of what is away.
      this.#setAway(false);
      await this.#measure();
      const report = await sweep({
        store: new FolderView(this.store, this.folder, this.#options.shared?.isMoving),
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
      if (report.hasRoom && !this.#options.shared) await this.store.writeNotes();
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
    if (this.#hasScanned && this.#hasRoom && !this.#doubt.isRaised) {
      if (!(await this.#storage.isSamePlace())) return { state: 'missing', reason: 'absent' };
      return await this.#holdLease();
    }
    const opened = await this.#open();
    if (opened.state === 'missing' || (opened.state === 'failing' && !this.#hasScanned)) return opened;
    const held = await this.#holdLease();
    if (held.state !== 'normal') return held;
    if (!this.#hasScanned) await this.#scan();
    if (opened.state !== 'full') return opened;
    // Space must be freed before the next attempt.
    this.#isRefused = true;
    return NORMAL;
  }

  async #open(): Promise<StorageCondition> {
    const before = this.#storage.id;
    const opened = await this.#storage.open();
    const { monotonicMs, shared } = this.#options;
    this.#doubt.settle(opened.state === 'normal', monotonicMs());
    // Another disk of ours is mounted here now.
    if (this.#storage.id !== before) this.#hasScanned = false;
    // Rather on a doubtful disk than nowhere.
    const isLeftOut = this.#doubt.isLeftOut(monotonicMs()) && shared?.hasOther(this.folder) === true;
    return isLeftOut && opened.state === 'normal' ? REFUSED : opened;
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
    this.store.clear(this.folder);
    const twice = this.store.load(report.tracks, this.folder);
    // At once: another disk that is told as away meanwhile must not take this one for away as well.
    this.#setAway(false);
    this.#releaseRemote();
    const { shared } = this.#options;
    if (shared) shared.onListed(twice);
    else this.store.noteDown(wallMs());
    this.#hasScanned = true;
    this.#wasListed = true;
    const files = report.tracks.reduce((sum, track) => sum + track.entries.length, 0);
    const { repaired, removed } = report;
    log.info({ files, repaired, removed, tookMs: wallMs() - began }, 'recordings were listed');
    // Start trusts the catalogs; sizes are checked in the background.
    const { folder, store } = this;
    const { signal } = this.#closing;
    this.#verifying = verifyQuietly({ disk, folder, store, tracks: report.tracks, signal }, log);
  }

  #releaseRemote(): void {
    const { copies } = this.#options.rules;
    if (!copies) return;
    for (const { key, files } of this.store.tracks) {
      const ours = files.filter((file) => file.folder === this.folder && copies.placeOf(key, file) === 'remote');
      for (const { startMs } of ours) this.store.released(key, startMs);
    }
  }

  async #measure(): Promise<number> {
    this.#freeBytes = (await this.#options.disk.space(this.folder)).freeBytes;
    return this.#freeBytes;
  }

  #setAway(isAway: boolean): void {
    if (isAway === this.#isAway) return;
    this.#isAway = isAway;
    this.#options.shared?.onAway();
  }

  #setCondition(condition: StorageCondition, hasRoom: boolean): void {
    const before = this.#condition;
    const had = this.#hasRoom;
    this.#condition = condition;
    this.#hasRoom = hasRoom;
    this.#setAway(!this.#wasListed || (condition.reason !== null && AWAY.has(condition.reason)));
    if (condition.state === before.state && condition.reason === before.reason && hasRoom === had) return;
    const change = { from: before.state, to: condition.state, reason: condition.reason, folder: this.folder };
    if (hasRoom) this.#options.log.info(change, 'the storage takes recordings');
    else this.#options.log.warn(change, 'the storage takes no recordings');
  }
}

function conditionAfter({ blockage }: SweepReport): StorageCondition {
  return blockage === null ? NORMAL : { state: 'full', reason: blockage };
}
