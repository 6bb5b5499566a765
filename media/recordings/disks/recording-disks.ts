// The recordings of this site on all its disks: where new files go, what is left when one fails, and one list of all.
import type { DiskHealth, DiskOrder } from '@vedette/contract/site/site-disks.ts';
import type { StorageHealth } from '@vedette/contract/site/site.ts';
import type { Clock } from '@vedette/foundation/time/clock.ts';
import { finishesWithin } from '@vedette/foundation/time/finishes-within.ts';
import { chooseDisk } from './disk-choice.ts';
import type { TrackKey } from '../recording-path.ts';
import type { GrowingFile, RecordingsSink } from '../recordings-sink.ts';
import { RecordingsStore } from '../recordings-store.ts';
import { Recordings, type RecordingsOptions } from '../recordings.ts';
import type { Removable, RetentionLimits } from '../retention.ts';
import { type StorageCondition, type StorageState, StorageUnavailable } from '../storage-folder.ts';
import type { TrackNote } from '../gaps/track-notes.ts';

export interface RecordingDisksOptions extends Omit<RecordingsOptions, 'folder' | 'limits' | 'knownId' | 'shared'> {
  readonly clock: Pick<Clock, 'after'>;
  readonly reserveBytes: number;
  /** The first is the one of exports. */
  readonly disks: readonly DiskOrder[];
  readonly knownId: (folder: string) => string | null;
  /** Whether a folder of this site ever had that identity. */
  readonly isKnownId: (storageId: string) => boolean;
  /** Files that two disks have. */
  readonly onTwice?: (folder: string, twice: readonly Removable[]) => void;
  /** Whether a file is on its way to another disk now. */
  readonly isMoving?: (key: TrackKey, startMs: number) => boolean;
}

interface OpenDisk {
  readonly recordings: Recordings;
  order: DiskOrder;
}

/** Of several disks: the others are looked at again although one does not answer, long before their leases end. */
const PATIENCE_MS = 2000;

const RANK: Readonly<Record<StorageState, number>> = { normal: 0, full: 1, failing: 2, missing: 3 };

export class RecordingDisks implements RecordingsSink {
  readonly store: RecordingsStore;
  readonly #options: RecordingDisksOptions;
  #disks: readonly OpenDisk[];
  #reserveBytes: number;
  /** Taken from the settings; their files may still be open. */
  readonly #leaving = new Set<Recordings>();
  /** Folders that the list takes for away. */
  readonly #away = new Set<string>();
  #isListed = false;
  #checking: Promise<void> | null = null;
  #notes: Promise<void> | null = null;

  constructor(options: RecordingDisksOptions) {
    const [first] = options.disks;
    if (!first) throw new RangeError('a site records to at least one folder');
    this.#options = options;
    this.#reserveBytes = options.reserveBytes;
    this.store = new RecordingsStore({ disk: options.disk, folder: first.folder });
    this.#disks = options.disks.map((order) => ({ order, recordings: this.#open(order) }));
  }

  /** Of exports. */
  get folder(): string {
    return this.#first.recordings.folder;
  }

  get folders(): readonly string[] {
    return this.#disks.map(({ order }) => order.folder);
  }

  get disks(): readonly Recordings[] {
    return this.#disks.map(({ recordings }) => recordings);
  }

  isEmptying(folder: string): boolean {
    return this.#disks.find(({ order }) => order.folder === folder)?.order.isEmptying ?? false;
  }

  get state(): StorageState {
    return this.condition.state;
  }

  /** Of the disk that does best: one that fails is told for itself. */
  get condition(): StorageCondition {
    const [best = this.#first] = this.#disks.toSorted((a, b) => rankOf(a) - rankOf(b));
    return best.recordings.condition;
  }

  /** Whether fragments are accepted now. */
  get isWritable(): boolean {
    return this.#disks.some(({ recordings }) => recordings.isWritable);
  }

  health(emptying: (folder: string) => DiskHealth['emptying'] = () => null): StorageHealth {
    const disks = this.#disks.map(({ recordings }) => ({
      ...recordings.health(),
      emptying: emptying(recordings.folder),
    }));
    const present = disks.filter((_, at) => this.#disks[at]?.recordings.isAway === false);
    const sum = (of: (disk: DiskHealth) => number): number =>
      Math.min(
        Number.MAX_SAFE_INTEGER,
        (present.length > 0 ? present : disks).reduce((total, disk) => total + of(disk), 0),
      );
    return {
      folder: this.folder,
      usedBytes: sum(({ usedBytes }) => usedBytes),
      freeBytes: sum(({ freeBytes }) => freeBytes),
      budgetBytes: sum(({ budgetBytes }) => budgetBytes),
      ...this.condition,
      oldestAt: this.store.oldestAt(),
      disks,
    };
  }

  /** Follows the settings without a pause of the recording: files of disks that are gone from them end with the next fragment. */
  async set(orders: readonly DiskOrder[], reserveBytes: number): Promise<void> {
    this.#reserveBytes = reserveBytes;
    const before = this.#disks;
    this.#disks = orders.map((order) => {
      const known = before.find((one) => one.order.folder === order.folder);
      if (!known) return { order, recordings: this.#returning(order) ?? this.#open(order) };
      known.order = order;
      known.recordings.setLimits(this.#limitsOf(order));
      return known;
    });
    const gone = before.filter((one) => !this.#disks.includes(one));
    for (const { recordings } of gone) this.#leaving.add(recordings);
    const come = this.#disks.filter((one) => !before.includes(one));
    await Promise.all(come.map(({ recordings }) => recordings.check()));
    this.#tellAway();
  }

  /** Taken from the settings and back before its last file was closed. */
  #returning(order: DiskOrder): Recordings | undefined {
    const found = [...this.#leaving].find(({ folder }) => folder === order.folder);
    if (!found) return undefined;
    this.#leaving.delete(found);
    found.setLimits(this.#limitsOf(order));
    return found;
  }

  /** Closes disks that were taken from the settings, when no file of theirs is open any more. */
  async #letLeave(): Promise<void> {
    for (const recordings of this.#leaving) {
      if (this.store.hasOpen(recordings.folder)) continue;
      this.#leaving.delete(recordings);
      await recordings.close();
      if (this.folders.includes(recordings.folder)) continue;
      this.store.clear(recordings.folder);
      this.#away.delete(recordings.folder);
    }
  }

  /** As `check`, and waits until each disk was listed or failed. */
  async open(): Promise<void> {
    await Promise.all(this.disks.map((recordings) => recordings.check()));
    await this.check();
  }

  /** Opens the disks if necessary, verifies them, applies retention. Call every few seconds; never rejects. */
  check(): Promise<void> {
    this.#checking ??= this.#check().finally(() => {
      this.#checking = null;
    });
    return this.#checking;
  }

  async #check(): Promise<void> {
    const all = Promise.all(this.disks.map((recordings) => recordings.check()));
    if (this.#isOnly) await all;
    else await finishesWithin(this.#options.clock, PATIENCE_MS, all);
    const after = Promise.all([this.#letLeave(), this.#writeNotes()]);
    if (!this.#isListed && this.disks.some(({ hasListed }) => hasListed)) {
      this.#isListed = true;
      this.store.noteDown(this.#options.wallMs());
    }
    this.#tellAway();
    if (this.#isOnly) await after;
    else await finishesWithin(this.#options.clock, PATIENCE_MS, after);
  }

  /** Close recorders first. Other processes may write into the folders afterwards. */
  async close(): Promise<void> {
    await this.#checking;
    await this.#writeNotes();
    await Promise.all([...this.disks, ...this.#leaving].map((recordings) => recordings.close()));
  }

  folderForWriting(key: TrackKey, wallMs: number): string {
    if (this.#isOnly) return this.#first.recordings.folderForWriting();
    const writable = this.#disks.filter(({ recordings }) => recordings.isWritable);
    // Rather on a disk that is emptied than nowhere.
    const staying = writable.filter(({ order }) => !order.isEmptying);
    const offers = (staying.length > 0 ? staying : writable).map(({ recordings }) => ({
      recordings,
      storageId: recordings.storageId ?? recordings.folder,
      ...recordings.room(),
    }));
    const chosen = chooseDisk(offers, key, wallMs);
    if (chosen) return chosen.recordings.folder;
    void this.check();
    throw new StorageUnavailable(this.condition);
  }

  takesMore(folder: string): boolean {
    const found = this.#disks.find(({ order }) => order.folder === folder)?.recordings;
    if (found?.isWritable === true) return true;
    // Without another disk it goes on as long as the disk takes it.
    return found !== undefined && !this.isWritable;
  }

  has(key: TrackKey, startMs: number): boolean {
    return this.store.has(key, startMs);
  }

  assertHeld(folder: string): void {
    this.#of(folder)?.assertHeld();
  }

  isOutdated(arrivedMs: number): boolean {
    return this.#disks.every(({ recordings }) => recordings.isOutdated(arrivedMs));
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

  failed(error: unknown, folder: string | null): void {
    if (folder !== null) this.#of(folder)?.failed(error);
  }

  /** Alarm marks and new reasons are written at once, the end of a reason with the next check. */
  note(key: TrackKey, note: TrackNote): void {
    const isNew = this.store.note(key, note);
    if (isNew || note.kind === 'alarm') void this.check();
  }

  /** All recordings of a channel. False: a disk that is away still has some. */
  async removeChannel(channelId: string): Promise<boolean> {
    const present = this.disks.filter(({ isAway }) => !isAway);
    await this.store.removeChannel(
      channelId,
      present.map(({ folder }) => folder),
    );
    return present.length === this.#disks.length;
  }

  #writeNotes(): Promise<void> {
    this.#notes ??= this.#writeNotesNow().finally(() => {
      this.#notes = null;
    });
    return this.#notes;
  }

  async #writeNotesNow(): Promise<void> {
    const folders = this.disks.filter(({ isWritable }) => isWritable).map(({ folder }) => folder);
    if (folders.length === 0) return;
    await this.store.writeNotes(folders, (folder, error) => {
      this.#options.log.warn({ folder, err: error }, 'notes of recordings could not be written');
      this.failed(error, folder);
    });
  }

  /** Of the only disk nothing is told: what it holds stays listed, as its gaps have no other disk to go on. */
  #tellAway(): void {
    for (const { folder, isAway } of this.disks) {
      const isTold = isAway && !this.#isOnly;
      if (!isTold && !this.#away.delete(folder)) continue;
      if (isTold) this.#away.add(folder);
      this.store.setAway(folder, isTold);
    }
  }

  #listed(): void {
    if (!this.#isOnly) return;
    this.#isListed = true;
    this.store.noteDown(this.#options.wallMs());
  }

  #open(order: DiskOrder): Recordings {
    const { knownId, isKnownId, onTwice = () => undefined, isMoving = () => false, ...rest } = this.#options;
    return new Recordings({
      ...rest,
      folder: order.folder,
      limits: this.#limitsOf(order),
      knownId: knownId(order.folder),
      shared: {
        store: this.store,
        isOurs: isKnownId,
        onListed: (twice) => {
          onTwice(order.folder, twice);
          this.#listed();
        },
        onAway: () => this.#tellAway(),
        isOnly: () => this.#isOnly,
        hasOther: (folder) => this.disks.some((one) => one.folder !== folder && one.isWritable),
        isMoving,
      },
    });
  }

  #limitsOf({ budgetBytes }: DiskOrder): RetentionLimits {
    return { budgetBytes, reserveBytes: this.#reserveBytes };
  }

  get #first(): OpenDisk {
    return this.#disks[0] as OpenDisk;
  }

  get #isOnly(): boolean {
    return this.#disks.length === 1;
  }

  /** Also of one that was taken from the settings, while its files are open. */
  #of(folder: string): Recordings | undefined {
    return [...this.disks, ...this.#leaving].find((recordings) => recordings.folder === folder);
  }
}

/** One that is full and has room for what is recorded now does better than one without. */
function rankOf({ recordings }: OpenDisk): number {
  return RANK[recordings.state] * 2 + (recordings.isWritable ? 0 : 1);
}
