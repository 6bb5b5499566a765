// Empties a recording disk: moves its files to the others one by one, slower than recording, and can be stopped or killed at any step.
import type { DiskHealth } from '@vedette/contract/site/site-disks.ts';
import type { Clock } from '@vedette/foundation/time/clock.ts';
import { wait } from '@vedette/foundation/time/wait.ts';
import { type Disk, errorCode } from '../disk.ts';
import type { FileClaims } from './file-claims.ts';
import { removeRecordedFile } from '../folder-changes.ts';
import { copyToFolder, isSameInBoth } from './move-file.ts';
import type { RecordedFile } from '../recorded-track.ts';
import { dayFolder, mediaPath, MOVING_SUFFIX, type TrackKey } from '../recording-path.ts';
import type { RecordingDisks } from './recording-disks.ts';
import type { RecordingsLog, Recordings } from '../recordings.ts';
import type { Removable } from '../retention.ts';

export interface DiskEmptierOptions {
  /** Of the site alone, without object stores behind it. */
  readonly disk: Disk;
  readonly clock: Clock;
  readonly recordings: () => RecordingDisks;
  readonly claims: FileClaims;
  /** What object stores hold of a file goes with it. */
  readonly copies: MovedCopies;
  readonly log: RecordingsLog;
}

export interface MovedCopies {
  /** The file is about to be listed in `to`, for good when it resolves: with the bytes of its media in a store, or null. */
  follow(key: TrackKey, startMs: number, folders: Folders): Promise<number | null>;
  /** The file is listed in `to`: `from` no longer knows of its copy, which stays. */
  leave(key: TrackKey, startMs: number, from: string): Promise<void>;
}

export interface Folders {
  readonly from: string;
  readonly to: string;
}

type Emptying = NonNullable<DiskHealth['emptying']>;

interface Move extends Removable {
  readonly folders: Folders;
}

interface Twice extends Removable {
  readonly folder: string;
}

const DIFFERENT = 'two disks have different recordings of one name: both stay';
const LOOK_EVERY_MS = 1000;
/** After something failed. */
const AGAIN_AFTER_MS = 10_000;
/** A pause as long as the copy took leaves recording at least half of the disk. */
const PAUSE_MIN_MS = 10;
/** Left free on the disk that takes a file, so that retention never removes recordings for those that are moved. */
const SPARE_BYTES = 64 * 1024 * 1024;

export class DiskEmptier {
  readonly #options: DiskEmptierOptions;
  readonly #closing = new AbortController();
  /** By folder of a disk that is emptied. */
  readonly #progress = new Map<string, Emptying>();
  /** Notes of their tracks were given to the other disks. */
  readonly #noted = new Set<string>();
  /** Files that two disks have, to be settled. */
  #twice: Twice[] = [];
  /** On its way now. */
  #moving: string | null = null;
  /** Files that could not be moved, until all others were. */
  readonly #failed = new Set<string>();
  #running: Promise<void> = Promise.resolve();

  constructor(options: DiskEmptierOptions) {
    this.#options = options;
  }

  start(): void {
    this.#running = this.#run();
  }

  async close(): Promise<void> {
    this.#closing.abort();
    await this.#running;
  }

  /** Null where the disk is not emptied. */
  progressOf(folder: string): DiskHealth['emptying'] {
    if (!this.#options.recordings().isEmptying(folder)) return null;
    return this.#progress.get(folder) ?? { state: 'waiting', ...this.#left(folder) };
  }

  isMoving(key: TrackKey, startMs: number): boolean {
    return this.#moving === nameOf(key, startMs);
  }

  /** A move was killed between its last steps, or somebody copied files. They are settled one by one. */
  settle(folder: string, twice: readonly Removable[]): void {
    this.#twice.push(...twice.map((one) => ({ ...one, folder })));
  }

  async #run(): Promise<void> {
    const { clock, log } = this.#options;
    const { signal } = this.#closing;
    while (!signal.aborted) {
      let pauseMs = LOOK_EVERY_MS;
      try {
        await this.#settleNext();
        for (const disk of this.#options.recordings().disks) await this.#look(disk);
      } catch (error) {
        if (signal.aborted) return;
        log.warn({ err: error }, 'a recording could not be moved to another disk; it is tried again');
        pauseMs = AGAIN_AFTER_MS;
      }
      await wait(clock, pauseMs, signal);
    }
  }

  async #look(disk: Recordings): Promise<void> {
    const { folder } = disk;
    if (!this.#options.recordings().isEmptying(folder)) {
      this.#progress.delete(folder);
      this.#noted.delete(folder);
      return;
    }
    const tell = (state: Emptying['state']): void => void this.#progress.set(folder, { state, ...this.#left(folder) });
    if (disk.isAway || !disk.hasListed) return tell('waiting');
    await this.#giveNotes(folder);
    for (;;) {
      const { signal } = this.#closing;
      if (signal.aborted || disk.isAway || !this.#options.recordings().isEmptying(folder)) return;
      const next = this.#next(folder);
      if (next === 'none') return tell((await this.#isEmpty(folder)) ? 'done' : 'waiting');
      if (next === 'noRoom') return tell('waiting');
      tell('moving');
      const { clock } = this.#options;
      const beganMs = clock.monotonicMs();
      await this.#move(next);
      await wait(clock, Math.max(PAUSE_MIN_MS, clock.monotonicMs() - beganMs), signal);
    }
  }

  /** The newest file, which retention would remove last, and the disk with the most room for it. */
  #next(from: string): Move | 'none' | 'noRoom' {
    const recordings = this.#options.recordings();
    const files = recordings.store.filesOn(from);
    const newest = files
      .filter(({ key, file, isOpen }) => !isOpen && !this.#failed.has(nameOf(key, file.startMs)))
      .reduce<(typeof files)[number] | null>(
        (best, one) => (best && best.file.startMs > one.file.startMs ? best : one),
        null,
      );
    if (newest === null) {
      this.#failed.clear();
      return files.length === 0 ? 'none' : 'noRoom';
    }
    const { key, file } = newest;
    const needed = file.mediaBytes + file.indexBytes + SPARE_BYTES;
    const [target] = recordings.disks
      .filter((one) => one.isWritable && !recordings.isEmptying(one.folder))
      .map((one) => ({ folder: one.folder, ...one.room() }))
      .filter(({ roomBytes, capacityBytes }) => roomBytes >= Math.min(needed, file.mediaBytes + capacityBytes / 8))
      .toSorted((a, b) => b.roomBytes - a.roomBytes);
    return target ? { key, file, folders: { from, to: target.folder } } : 'noRoom';
  }

  async #move({ key, file, folders }: Move): Promise<void> {
    const { claims } = this.#options;
    const { startMs } = file;
    if (!claims.take(key, startMs)) return;
    this.#moving = nameOf(key, startMs);
    try {
      if (await this.#isFree({ key, file, folders })) await this.#copyOver({ key, file, folders });
      else this.#failed.add(nameOf(key, startMs));
    } finally {
      this.#moving = null;
      claims.release(key, startMs);
    }
  }

  /** What else has that name on the other disk is never replaced. */
  async #isFree({ key, file, folders: { from, to } }: Move): Promise<boolean> {
    const { disk, log } = this.#options;
    if ((await disk.sizeOf(mediaPath(to, key, file.startMs))) === null) return true;
    const isSame = await isSameInBoth({ disk, key, file, from, to, signal: this.#closing.signal });
    if (!isSame) log.warn({ ...key, startMs: file.startMs, from, to }, DIFFERENT);
    return isSame;
  }

  async #copyOver({ key, file, folders }: Move): Promise<void> {
    const { startMs } = file;
    try {
      await this.#copy(key, file, folders);
      await this.#finish(key, startMs, folders);
    } catch (error) {
      const { store } = this.#options.recordings();
      if (store.has(key, startMs) && store.folderOf(key, startMs) === folders.to) {
        this.settle(folders.from, [{ key, file }]);
      } else {
        await this.#takeBack(key, startMs, folders.to);
        // Its camera was deleted meanwhile.
        if (errorCode(error) === 'ENOENT' && !store.has(key, startMs)) return;
        this.#failed.add(nameOf(key, startMs));
      }
      throw error;
    }
  }

  async #copy(key: TrackKey, file: RecordedFile, folders: Folders): Promise<void> {
    const { disk, copies } = this.#options;
    const { startMs } = file;
    await disk.makeFolder(dayFolder(folders.to, key, startMs));
    const { signal } = this.#closing;
    if (file.mediaBytes > 0) {
      await copyToFolder({ disk, key, file, ...folders, signal });
      await copies.follow(key, startMs, folders);
      return;
    }
    // What is only in a store has its copy as its media: the folder has to know of it first.
    const storedBytes = (await copies.follow(key, startMs, folders)) ?? 0;
    await copyToFolder({ disk, key, file, ...folders, storedBytes, signal });
  }

  /** Both folders have the file: the list turns to the one, then the other loses it. */
  async #finish(key: TrackKey, startMs: number, { from, to }: Folders): Promise<void> {
    const { store } = this.#options.recordings();
    if (store.has(key, startMs) && store.folderOf(key, startMs) === from) store.moved(key, startMs, to);
    const isAtTarget = store.has(key, startMs) && store.folderOf(key, startMs) === to;
    // Neither has it listed where it was deleted meanwhile: then the copy goes as well.
    await this.#drop(key, startMs, isAtTarget ? from : to);
  }

  /** What an interrupted copy left on the disk that should have taken it. */
  async #takeBack(key: TrackKey, startMs: number, to: string): Promise<void> {
    const { disk, log } = this.#options;
    try {
      await disk.removeFile(`${mediaPath(to, key, startMs)}${MOVING_SUFFIX}`);
      await this.#drop(key, startMs, to);
    } catch (error) {
      log.warn({ ...key, startMs, folder: to, err: error }, 'what was copied of a recording could not be removed');
    }
  }

  /** From a folder in which the file is not listed. */
  async #drop(key: TrackKey, startMs: number, folder: string): Promise<void> {
    const { disk, copies, recordings } = this.#options;
    await copies.leave(key, startMs, folder);
    const { channelId, quality } = key;
    const beside = recordings()
      .store.filesOn(folder)
      .flatMap((one) => (one.key.channelId === channelId && one.key.quality === quality ? [one.file] : []));
    await removeRecordedFile({ disk, folder, key, startMs, beside });
  }

  async #settleNext(): Promise<void> {
    const { clock, log } = this.#options;
    const { signal } = this.#closing;
    for (let next = this.#twice.shift(); next; next = this.#twice.shift()) {
      const twice = next;
      signal.throwIfAborted();
      try {
        await this.#settle(twice);
      } catch (error) {
        if (signal.aborted) throw error;
        const { key, file, folder } = twice;
        log.warn(
          { ...key, startMs: file.startMs, folder, err: error },
          'a recording that two disks have is still on both',
        );
        void wait(clock, AGAIN_AFTER_MS, signal).then(() => this.#twice.push(twice));
      }
    }
  }

  /** Of two equal files the one on the disk that is emptied goes; two that differ both stay. */
  async #settle({ key, file, folder }: Twice): Promise<void> {
    const { disk, copies, recordings, log } = this.#options;
    const { startMs } = file;
    const { store } = recordings();
    const listed = store.folderOf(key, startMs);
    if (!store.has(key, startMs) || listed === folder) return;
    // A removal that failed halfway.
    const isHalf = file.mediaBytes > 0 && (await disk.sizeOf(mediaPath(folder, key, startMs))) === null;
    if (isHalf) return await this.#drop(key, startMs, folder);
    const isSame = await isSameInBoth({ disk, key, file, from: listed, to: folder, signal: this.#closing.signal });
    if (!isSame) {
      log.warn({ ...key, startMs, folder, listed }, DIFFERENT);
      return;
    }
    const folders = recordings().isEmptying(listed) ? { from: listed, to: folder } : { from: folder, to: listed };
    // A kill may have come between the copy of the media and that of what object stores hold.
    await copies.follow(key, startMs, folders);
    await this.#finish(key, startMs, folders);
  }

  async #giveNotes(from: string): Promise<void> {
    const { recordings } = this.#options;
    if (this.#noted.has(from)) return;
    const { store, disks } = recordings();
    const others = disks.filter((one) => one.isWritable && one.folder !== from);
    for (const { key, notes } of store.tracks) {
      if (notes.all.length === 0) continue;
      for (const { folder } of others) await store.appendNotes(folder, key, notes.all);
    }
    if (others.length > 0) this.#noted.add(from);
  }

  /** Files that are not listed, since they are damaged or of somebody else, are no reason to lose them. */
  async #isEmpty(folder: string): Promise<boolean> {
    return !(await holdsMedia(this.#options.disk, folder, 3));
  }

  #left(folder: string): Omit<Emptying, 'state'> {
    const files = this.#options.recordings().store.filesOn(folder);
    const bytesLeft = files.reduce((sum, { file }) => sum + file.mediaBytes + file.indexBytes, 0);
    return { filesLeft: files.length, bytesLeft };
  }
}

function nameOf({ channelId, quality }: TrackKey, startMs: number): string {
  return `${channelId}/${quality}/${startMs}`;
}

/** Channel, quality and day are so many folders deep. */
async function holdsMedia(disk: Disk, folder: string, depth: number): Promise<boolean> {
  for (const { name, isFolder } of await disk.list(folder)) {
    if (depth === 0 && name.endsWith('.mp4')) return true;
    if (isFolder && depth > 0 && (await holdsMedia(disk, `${folder}/${name}`, depth - 1))) return true;
  }
  return false;
}
