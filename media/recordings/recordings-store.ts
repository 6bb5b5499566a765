// The list of recorded files in memory: which file covers which time, how much is used, what is oldest.
import { join } from 'node:path';
import type { RecordedSpan } from '@vedette/contract/site.ts';
import { CATALOG_NAME } from './day-catalog.ts';
import { type Disk, errorCode } from './disk.ts';
import { type FileIndex, readIndex } from './index-record.ts';
import { channelFolder, dayFolder, indexPath, mediaPath, type TrackKey } from './recording-path.ts';
import { recordedDays } from './recorded-days.ts';
import type { GrowingFile } from './recordings-sink.ts';
import { indexBytesOf, type ScannedTrack } from './scan-folder.ts';

/** Recorded stretches closer than this are one span for the timeline. */
export const SPAN_GAP_MS = 2000;
/** No file is longer: how far back a file that covers an instant may begin. */
const FILE_MAX_MS = 15 * 60_000;

/** About ten minutes each of fifty viewers. */
const INDEXES_KEPT = 512;

export interface RecordedFile {
  readonly startMs: number;
  readonly endMs: number;
  readonly mediaBytes: number;
  readonly indexBytes: number;
}

interface StoredFile extends RecordedFile {
  endMs: number;
  mediaBytes: number;
  indexBytes: number;
  isOpen: boolean;
}

interface Track {
  readonly key: TrackKey;
  /** Sorted by start; two may overlap after a clock was set. */
  files: StoredFile[];
}

export interface RecordingsStoreOptions {
  readonly disk: Disk;
  readonly folder: string;
}

export class RecordingsStore {
  readonly folder: string;
  readonly #disk: Disk;
  readonly #tracks = new Map<string, Track>();
  readonly #indexes = new Map<string, FileIndex>();
  #usedBytes = 0;

  constructor(options: RecordingsStoreOptions) {
    this.#disk = options.disk;
    this.folder = options.folder;
  }

  get usedBytes(): number {
    return this.#usedBytes;
  }

  load(scanned: readonly ScannedTrack[]): void {
    for (const { key, entries } of scanned) {
      const track = this.#track(key);
      for (const { startMs, endMs, mediaBytes, records } of entries) {
        const indexBytes = indexBytesOf(records);
        track.files.push({ startMs, endMs, mediaBytes, indexBytes, isOpen: false });
        this.#usedBytes += mediaBytes + indexBytes;
      }
    }
  }

  opened(key: TrackKey, file: GrowingFile): void {
    const { files } = this.#track(key);
    const stored = { ...pick(file), isOpen: true };
    files.splice(firstAfter(files, file.startMs), 0, stored);
    this.#usedBytes += stored.mediaBytes + stored.indexBytes;
  }

  stored(key: TrackKey, file: GrowingFile): void {
    const found = this.#find(key, file.startMs);
    if (!found) return;
    this.#usedBytes += file.mediaBytes + file.indexBytes - found.mediaBytes - found.indexBytes;
    Object.assign(found, pick(file));
  }

  closed(key: TrackKey, file: GrowingFile): void {
    this.stored(key, file);
    const found = this.#find(key, file.startMs);
    if (found) found.isOpen = false;
  }

  /** Files with anything in `[from, to)`, in order of their start. */
  files(key: TrackKey, from: number, to: number): RecordedFile[] {
    const { files } = this.#track(key);
    const found: RecordedFile[] = [];
    for (let at = firstAfter(files, from - FILE_MAX_MS); at < files.length; at += 1) {
      const file = files[at] as StoredFile;
      if (file.startMs >= to) break;
      if (file.endMs > from) found.push(file);
    }
    return found;
  }

  has(key: TrackKey, startMs: number): boolean {
    return this.#find(key, startMs) !== null;
  }

  /** Joined where the gap is below 2 s, cut to the range, oldest first. */
  spans(key: TrackKey, from: number, to: number): RecordedSpan[] {
    const spans: { startTime: number; endTime: number; recordType: 1 | 2 }[] = [];
    for (const file of this.files(key, from, to)) {
      const last = spans.at(-1);
      if (last && file.startMs - last.endTime < SPAN_GAP_MS) last.endTime = Math.max(last.endTime, file.endMs);
      else spans.push({ startTime: file.startMs, endTime: file.endMs, recordType: 1 });
    }
    return spans.map((span) => ({
      startTime: Math.max(from, Math.round(span.startTime)),
      endTime: Math.min(to, Math.round(span.endTime)),
      recordType: span.recordType,
    }));
  }

  days(key: TrackKey, range: { from: number; to: number; timeZone: string }): string[] {
    return recordedDays(this.spans(key, range.from, range.to), range.timeZone);
  }

  /** Start of the oldest footage of a track; null when there is none. */
  oldestOf(key: TrackKey): number | null {
    return this.#track(key).files[0]?.startMs ?? null;
  }

  oldestAt(): number | null {
    let oldest: number | null = null;
    for (const { files } of this.#tracks.values()) {
      const first = files[0];
      if (first && (oldest === null || first.startMs < oldest)) oldest = first.startMs;
    }
    return oldest;
  }

  /** The oldest finished file of all tracks, or of those that `pick` chooses. */
  oldestFinished(
    isChosen: (key: TrackKey, file: RecordedFile) => boolean,
  ): { key: TrackKey; file: RecordedFile } | null {
    let oldest: { key: TrackKey; file: RecordedFile } | null = null;
    for (const { key, files } of this.#tracks.values()) {
      const first = files.find((file) => !file.isOpen);
      if (!first || !isChosen(key, first)) continue;
      if (!oldest || first.startMs < oldest.file.startMs) oldest = { key, file: first };
    }
    return oldest;
  }

  /** Null when the file is gone. Indexes of finished files are kept for the next reader. */
  async readIndex(key: TrackKey, startMs: number): Promise<FileIndex | null> {
    const found = this.#find(key, startMs);
    if (!found) return null;
    const path = indexPath(this.folder, key, startMs);
    const cached = this.#indexes.get(path);
    if (cached) return cached;
    try {
      const index = readIndex(await this.#disk.readWhole(path));
      if (index && !found.isOpen) this.#remember(path, index);
      return index;
    } catch (error) {
      if (errorCode(error) === 'ENOENT') return null;
      throw error;
    }
  }

  mediaPath(key: TrackKey, startMs: number): string {
    return mediaPath(this.folder, key, startMs);
  }

  /** Leaves the list first: no new reader finds it; one that reads keeps its open file. */
  async remove(key: TrackKey, startMs: number): Promise<void> {
    const track = this.#track(key);
    const at = track.files.findIndex((file) => file.startMs === startMs);
    const [file] = at < 0 ? [] : track.files.splice(at, 1);
    if (!file) return;
    this.#usedBytes -= file.mediaBytes + file.indexBytes;
    this.#indexes.delete(indexPath(this.folder, key, startMs));
    await this.#disk.removeFile(mediaPath(this.folder, key, startMs));
    await this.#disk.removeFile(indexPath(this.folder, key, startMs));
    const day = dayFolder(this.folder, key, startMs);
    const isDayOver = [track.files[at - 1], track.files[at]].every(
      (beside) => !beside || dayFolder(this.folder, key, beside.startMs) !== day,
    );
    if (isDayOver) await this.#removeDay(day);
  }

  /** Only when nothing but the catalog is left: a recorder may be creating a file there that is not in the list yet. */
  async #removeDay(day: string): Promise<void> {
    const names = await this.#disk.list(day);
    if (names.some(({ name }) => name !== CATALOG_NAME)) return;
    await this.#disk.removeFile(join(day, CATALOG_NAME));
    await this.#disk.removeEmptyFolder(day);
  }

  /** All footage of a channel, whatever its quality. Its recorders must be closed. */
  async removeChannel(channelId: string): Promise<void> {
    for (const [name, track] of this.#tracks) {
      if (track.key.channelId !== channelId) continue;
      for (const file of track.files) this.#usedBytes -= file.mediaBytes + file.indexBytes;
      this.#tracks.delete(name);
    }
    await this.#disk.removeTree(channelFolder(this.folder, channelId));
  }

  #remember(path: string, index: FileIndex): void {
    this.#indexes.set(path, index);
    const [oldest] = this.#indexes.keys();
    if (this.#indexes.size > INDEXES_KEPT && oldest !== undefined) this.#indexes.delete(oldest);
  }

  #track(key: TrackKey): Track {
    const name = `${key.channelId}/${key.quality}`;
    let track = this.#tracks.get(name);
    if (!track) {
      track = { key: { channelId: key.channelId, quality: key.quality }, files: [] };
      this.#tracks.set(name, track);
    }
    return track;
  }

  #find(key: TrackKey, startMs: number): StoredFile | null {
    const { files } = this.#track(key);
    const file = files[firstAfter(files, startMs) - 1];
    return file?.startMs === startMs ? file : null;
  }
}

function pick(file: GrowingFile): RecordedFile {
  const { startMs, endMs, mediaBytes, indexBytes } = file;
  return { startMs, endMs, mediaBytes, indexBytes };
}

/** Position of the first file that starts after `startMs`. */
function firstAfter(files: readonly RecordedFile[], startMs: number): number {
  let low = 0;
  let high = files.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((files[middle] as RecordedFile).startMs <= startMs) low = middle + 1;
    else high = middle;
  }
  return low;
}
