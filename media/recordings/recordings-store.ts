// In-memory list of recorded files: which file covers which time, space used, oldest files.
import { join } from 'node:path';
import type { RecordedSpan, RecordingGap } from '@vedette/contract/site/site.ts';
import { CATALOG_NAME, writeRemovedEntry } from './day-catalog.ts';
import { DamageList } from './damage-list.ts';
import { type Disk, errorCode, NotAFile } from './disk.ts';
import { type FileIndex, type IndexRecord, originOf, readIndex, recordEndMs } from './index-record.ts';
import { type RecordedFile, RecordedTrack } from './recorded-track.ts';
import { channelFolder, dayFolder, indexPath, mediaPath, type TrackKey, trackFolder } from './recording-path.ts';
import { recordedDays } from './recorded-days.ts';
import type { GrowingFile } from './recordings-sink.ts';
import type { Removable } from './retention.ts';
import { indexBytesOf, type ScannedTrack } from './scan-folder.ts';
import { NOTES_NAME, type TrackNote, writeNote } from './gaps/track-notes.ts';

export { SPAN_GAP_MS } from './gaps/joined-spans.ts';
export type { RecordedFile } from './recorded-track.ts';

/** About ten minutes for fifty viewers. */
const INDEXES_KEPT = 512;

export interface RecordingsStoreOptions {
  readonly disk: Disk;
  readonly folder: string;
}

export class RecordingsStore {
  readonly folder: string;
  readonly #disk: Disk;
  readonly #tracks = new Map<string, RecordedTrack>();
  readonly #indexes = new Map<string, FileIndex>();
  /** Records by path of the index; also those that a failing disk left unwritten. */
  readonly #growing = new Map<string, GrowingFile>();
  readonly #usage = new Map<string, number>();
  readonly #damage = new DamageList();
  #usedBytes = 0;

  constructor(options: RecordingsStoreOptions) {
    this.#disk = options.disk;
    this.folder = options.folder;
  }

  get usedBytes(): number {
    return this.#usedBytes;
  }

  /** Bytes per channel, all qualities. */
  channelUsage(): ReadonlyMap<string, number> {
    return this.#usage;
  }

  get tracks(): Iterable<RecordedTrack> {
    return this.#tracks.values();
  }

  load(scanned: readonly ScannedTrack[]): void {
    for (const { key, entries, notes } of scanned) {
      const track = this.#track(key);
      for (const { startMs, endMs, mediaBytes, records } of entries) {
        this.#grow(key, track.insert({ startMs, endMs, mediaBytes, indexBytes: indexBytesOf(records) }, false));
      }
      track.notes.load(notes ?? []);
      const [oldest] = track.files;
      if (oldest) track.notes.prune(oldest.startMs);
    }
  }

  /** Clears the list before the folder is read again. */
  clear(): void {
    this.#tracks.clear();
    this.#indexes.clear();
    this.#growing.clear();
    this.#usage.clear();
    this.#damage.clear();
    this.#usedBytes = 0;
  }

  opened(key: TrackKey, file: GrowingFile): void {
    this.#grow(key, this.#track(key).insert(file, true));
    this.#growing.set(indexPath(this.folder, key, file.startMs), file);
  }

  stored(key: TrackKey, file: GrowingFile): void {
    this.#grow(key, this.#track(key).update(file, true));
  }

  closed(key: TrackKey, file: GrowingFile): void {
    this.#grow(key, this.#track(key).update(file, false));
    if (file.recordsAhead.length === 0) this.#growing.delete(indexPath(this.folder, key, file.startMs));
  }

  /** Files with anything in `[from, to)`, in order of their start. */
  files(key: TrackKey, from: number, to: number): RecordedFile[] {
    return this.#track(key).between(from, to);
  }

  has(key: TrackKey, startMs: number): boolean {
    return this.#track(key).find(startMs) !== null;
  }

  /** Merged where the gap is below 2 s, alarm recordings apart, clipped to the range, oldest first. */
  spans(key: TrackKey, from: number, to: number): RecordedSpan[] {
    return this.#track(key).spans(from, to);
  }

  /** Stretches of at least 2 s without recordings from the oldest recordings to `nowMs`, each with its reason. */
  gaps(key: TrackKey, range: { readonly from: number; readonly to: number }, nowMs: number): RecordingGap[] {
    return this.#track(key).gaps(range.from, range.to, nowMs);
  }

  days(key: TrackKey, range: { from: number; to: number; timeZone: string }): string[] {
    return recordedDays(this.spans(key, range.from, range.to), range.timeZone);
  }

  /** Kept in memory at once, on disk after the next `writeNotes`. True if it is new. */
  note(key: TrackKey, note: TrackNote): boolean {
    return this.#track(key).notes.set(note);
  }

  notes(key: TrackKey): readonly TrackNote[] {
    return this.#track(key).notes.all;
  }

  /** Unwritten notes are kept for the next time. */
  async writeNotes(): Promise<void> {
    for (const { key, notes } of this.#tracks.values()) {
      const unwritten = notes.takeUnwritten();
      if (unwritten.length === 0) continue;
      const folder = trackFolder(this.folder, key);
      try {
        await this.#disk.makeFolder(folder);
        await this.#disk.appendLine(join(folder, NOTES_NAME), Buffer.concat(unwritten.map(writeNote)));
      } catch (error) {
        notes.putBack(unwritten);
        throw error;
      }
    }
  }

  /** Start of the oldest recordings of a track; null when there is none. */
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

  /**
   * After a reading of the folder: from the last sign of life of any track to `nowMs` nobody recorded. However short:
   * the cameras have to be connected again as well, and only then is it a gap.
   */
  noteDown(nowMs: number): void {
    const known = [...this.#tracks.values()].flatMap((track) => {
      const ends = [track.endMs ?? [], track.notes.endMs ?? []].flat().filter((endMs) => endMs <= nowMs);
      return ends.length === 0 ? [] : [{ track, endMs: Math.max(...ends) }];
    });
    const alive = Math.max(...known.map(({ endMs }) => endMs));
    if (nowMs <= alive) return;
    for (const { track } of known) track.notes.set({ kind: 'siteDown', startMs: alive, endMs: nowMs });
  }

  oldestOfEach(isKept: (key: TrackKey, file: RecordedFile) => boolean): readonly Removable[] {
    return [...this.#tracks.values()].flatMap((track): Removable[] => {
      const file = track.oldestFinished((one) => isKept(track.key, one));
      return file ? [{ key: track.key, file }] : [];
    });
  }

  *finishedByTrack(isKept: (key: TrackKey, file: RecordedFile) => boolean): Iterable<readonly Removable[]> {
    for (const track of this.#tracks.values()) {
      const files = track.finished((one) => isKept(track.key, one));
      yield files.map((file) => ({ key: track.key, file }));
    }
  }

  hasFinished(): boolean {
    return [...this.#tracks.values()].some((track) => track.hasFinished);
  }

  /** Records before the first damaged one. */
  undamaged(key: TrackKey, startMs: number, records: readonly IndexRecord[]): readonly IndexRecord[] {
    return this.#damage.before(mediaPath(this.folder, key, startMs), records);
  }

  /** `records`: all of the file. From the damaged one to the next keyframe nothing can be shown, and the timeline gives the reason. */
  markDamaged(key: TrackKey, startMs: number, records: readonly IndexRecord[], at: number): void {
    const path = mediaPath(this.folder, key, startMs);
    const range = this.#damage.add(path, records, at);
    if (range && this.#damage.takesNote(path)) this.note(key, { kind: 'damaged', ...range });
  }

  /** A file with a damaged start: none of it can be decoded. */
  markAllDamaged(key: TrackKey, startMs: number, records: readonly IndexRecord[]): void {
    const range = this.#damage.addAll(mediaPath(this.folder, key, startMs), records);
    if (range) this.note(key, { kind: 'damaged', ...range });
  }

  /** Null if the file is gone or the index belongs to another one. Indexes of finished files are cached. */
  async readIndex(key: TrackKey, startMs: number): Promise<FileIndex | null> {
    const found = this.#track(key).find(startMs);
    if (!found) return null;
    const path = indexPath(this.folder, key, startMs);
    const cached = this.#indexes.get(path);
    if (cached) return cached;
    // Read first, since records may be written to the index meanwhile.
    const ahead = this.#growing.get(path)?.recordsAhead ?? [];
    try {
      const index = readIndex(await this.#disk.readWhole(path), originOf(key, startMs));
      if (index && ahead.length > 0) return withRecords(index, ahead);
      if (!found.isOpen) this.#takeFinished(key, found.file, index);
      return index;
    } catch (error) {
      if (error instanceof NotAFile) this.#noteUnnamed(key, found.file, []);
      else if (errorCode(error) !== 'ENOENT') throw error;
      return null;
    }
  }

  /** The index of a finished file is final. */
  #takeFinished(key: TrackKey, file: RecordedFile, index: FileIndex | null): void {
    this.#noteUnnamed(key, file, index?.records ?? []);
    if (index) this.#remember(indexPath(this.folder, key, file.startMs), index);
  }

  /** Recordings missing from a damaged index cannot be played until the checker has rebuilt it. */
  #noteUnnamed(key: TrackKey, file: RecordedFile, records: readonly IndexRecord[]): void {
    const endMs = records.reduce((latest, record) => Math.max(latest, recordEndMs(record)), file.startMs);
    if (file.endMs - endMs > 1) this.note(key, { kind: 'damaged', startMs: endMs, endMs: file.endMs });
  }

  mediaPath(key: TrackKey, startMs: number): string {
    return mediaPath(this.folder, key, startMs);
  }

  /** Removed from the list first: no new reader finds it; current readers keep their open file. */
  async remove(key: TrackKey, startMs: number): Promise<void> {
    const taken = this.#track(key).take(startMs);
    if (!taken) return;
    this.#grow(key, -(taken.file.mediaBytes + taken.file.indexBytes));
    this.#forgetIndex(key, startMs);
    await this.#disk.removeFile(mediaPath(this.folder, key, startMs));
    await this.#disk.removeFile(indexPath(this.folder, key, startMs));
    const day = dayFolder(this.folder, key, startMs);
    const isDayOver = taken.beside.every((beside) => dayFolder(this.folder, key, beside.startMs) !== day);
    if (isDayOver) await this.#removeDay(day);
    else await this.#noteRemoval(`${day}/${CATALOG_NAME}`, startMs);
  }

  /** On a full disk the catalog cannot grow: its line stays, and the checker reports it. */
  async #noteRemoval(catalog: string, startMs: number): Promise<void> {
    try {
      await this.#disk.appendLine(catalog, writeRemovedEntry(startMs));
    } catch (error) {
      const code = errorCode(error);
      if (code !== 'ENOSPC' && code !== 'EDQUOT' && code !== 'ENOENT') throw error;
    }
  }

  /** Its media is in an object store alone from now on, and takes no room here. */
  released(key: TrackKey, startMs: number): void {
    const track = this.#track(key);
    const found = track.find(startMs);
    if (found) this.#grow(key, track.update({ ...found.file, mediaBytes: 0 }, false));
  }

  /** After a repair: the file is shorter or gone. */
  replace(key: TrackKey, startMs: number, file: RecordedFile | null): void {
    const track = this.#track(key);
    const taken = track.take(startMs);
    if (taken) this.#grow(key, -(taken.file.mediaBytes + taken.file.indexBytes));
    if (file) this.#grow(key, track.insert(file, false));
    this.#forgetIndex(key, startMs);
  }

  /** Only if nothing but the catalog is left: a recorder may be creating a file that is not listed yet. */
  async #removeDay(day: string): Promise<void> {
    const names = await this.#disk.list(day);
    if (names.some(({ name }) => name !== CATALOG_NAME)) return;
    await this.#disk.removeFile(join(day, CATALOG_NAME));
    await this.#disk.removeEmptyFolder(day);
  }

  /** All recordings of a channel, whatever its quality. Its recorders must be closed. */
  async removeChannel(channelId: string): Promise<void> {
    const folder = channelFolder(this.folder, channelId);
    this.#usedBytes -= this.#usage.get(channelId) ?? 0;
    this.#usage.delete(channelId);
    for (const [name, { key }] of this.#tracks) if (key.channelId === channelId) this.#tracks.delete(name);
    await this.#disk.removeTree(folder);
  }

  #forgetIndex(key: TrackKey, startMs: number): void {
    const path = indexPath(this.folder, key, startMs);
    this.#damage.forget(mediaPath(this.folder, key, startMs));
    this.#indexes.delete(path);
    this.#growing.delete(path);
  }

  #grow({ channelId }: TrackKey, bytes: number): void {
    this.#usedBytes += bytes;
    this.#usage.set(channelId, (this.#usage.get(channelId) ?? 0) + bytes);
  }

  #remember(path: string, index: FileIndex): void {
    this.#indexes.set(path, index);
    const [oldest] = this.#indexes.keys();
    if (this.#indexes.size > INDEXES_KEPT && oldest !== undefined) this.#indexes.delete(oldest);
  }

  #track(key: TrackKey): RecordedTrack {
    const name = `${key.channelId}/${key.quality}`;
    let track = this.#tracks.get(name);
    if (!track) {
      track = new RecordedTrack(key);
      this.#tracks.set(name, track);
    }
    return track;
  }
}

function withRecords({ header, records }: FileIndex, ahead: readonly IndexRecord[]): FileIndex {
  const last = records.at(-1)?.offset ?? -1;
  return { header, records: [...records, ...ahead.filter(({ offset }) => offset > last)] };
}
