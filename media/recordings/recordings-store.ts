// In-memory list of recorded files on one or several storage folders: which file covers which time, space used, oldest files.
import type { RecordedSpan, RecordingGap } from '@vedette/contract/site/site.ts';
import { DamageList } from './damage-list.ts';
import { type Disk, errorCode, NotAFile } from './disk.ts';
import { FolderUse } from './folder-use.ts';
import { appendNotes, removeRecordedFile } from './folder-changes.ts';
import { type FileIndex, type IndexRecord, originOf, readIndex, recordEndMs } from './index-record.ts';
import { type RecordedFile, RecordedTrack } from './recorded-track.ts';
import { channelFolder, indexPath, mediaPath, type TrackKey, trackFolder } from './recording-path.ts';
import { recordedDays } from './recorded-days.ts';
import type { GrowingFile } from './recordings-sink.ts';
import type { IsKept, Removable } from './retention.ts';
import { indexBytesOf, type ScannedTrack } from './scan-folder.ts';
import type { TimeRange, TrackNote } from './gaps/track-notes.ts';

export { SPAN_GAP_MS } from './gaps/joined-spans.ts';
export type { RecordedFile } from './recorded-track.ts';

/** About ten minutes for fifty viewers. */
const INDEXES_KEPT = 512;

export interface RecordingsStoreOptions {
  readonly disk: Disk;
  /** Storage folder of files that name no other. */
  readonly folder: string;
}

export class RecordingsStore {
  /** Storage folder of files that name no other. */
  readonly mainFolder: string;
  readonly #disk: Disk;
  readonly #tracks = new Map<string, RecordedTrack>();
  readonly #indexes = new Map<string, FileIndex>();
  /** Records by path of the index; also those that a failing disk left unwritten. */
  readonly #growing = new Map<string, GrowingFile>();
  readonly #use = new FolderUse();
  readonly #damage = new DamageList();

  constructor(options: RecordingsStoreOptions) {
    this.#disk = options.disk;
    this.mainFolder = options.folder;
  }

  /** On the folders that can be reached. */
  get usedBytes(): number {
    return this.#use.total;
  }

  usedBytesOf(folder: string): number {
    return this.#use.of(folder);
  }

  /** Bytes per channel, all qualities, on the folders that can be reached. */
  channelUsage(): ReadonlyMap<string, number> {
    return this.#use.byChannel();
  }

  /** Storage folder of a file. */
  folderOf(key: TrackKey, startMs: number): string {
    return this.#track(key).find(startMs)?.file.folder ?? this.mainFolder;
  }

  get tracks(): Iterable<RecordedTrack> {
    return this.#tracks.values();
  }

  /** Returns the files that another folder already has: they are not listed. */
  load(scanned: readonly ScannedTrack[], folder = this.mainFolder): readonly Removable[] {
    const twice: Removable[] = [];
    for (const { key, entries, notes } of scanned) {
      const track = this.#track(key);
      for (const { startMs, endMs, mediaBytes, records } of entries) {
        const file = { startMs, endMs, mediaBytes, indexBytes: indexBytesOf(records), folder };
        if (track.find(startMs)) twice.push({ key: track.key, file });
        else this.#grow(key, folder, track.insert(file, false));
      }
      track.notes.load(notes ?? []);
      const [oldest] = track.files;
      if (oldest) track.notes.prune(oldest.startMs);
    }
    return twice;
  }

  /** Clears the list of a folder before it is read again, or when it is none of ours any more. */
  clear(folder = this.mainFolder): void {
    for (const track of this.#tracks.values()) track.forget(folder);
    for (const paths of [this.#indexes, this.#growing])
      for (const path of paths.keys()) if (path.startsWith(`${folder}/`)) paths.delete(path);
    this.#damage.forgetBelow(folder);
    this.#use.forget(folder);
  }

  /** Whether a folder can be reached. What it holds stays known meanwhile: nothing of it is played, counted for quotas or removed. */
  setAway(folder: string, isAway: boolean): void {
    this.#use.setAway(folder, isAway);
    for (const track of this.#tracks.values()) {
      if (isAway) track.leave(folder);
      else track.comeBack(folder);
    }
  }

  /** What was known of a folder that could not be reached since this process started. */
  setAwayRanges(folder: string, key: TrackKey, ranges: readonly TimeRange[]): void {
    this.#track(key).setAway(folder, ranges);
  }

  /** What a folder holds, whether it can be reached or not. */
  rangesOf(folder: string): { readonly key: TrackKey; readonly ranges: readonly TimeRange[] }[] {
    return [...this.#tracks.values()].flatMap((track) => {
      const ranges = track.rangesOf(folder);
      return ranges.length === 0 ? [] : [{ key: track.key, ranges }];
    });
  }

  opened(key: TrackKey, file: GrowingFile): void {
    const listed = this.#listed(file);
    this.#grow(key, listed.folder, this.#track(key).insert(listed, true));
    this.#growing.set(indexPath(listed.folder, key, file.startMs), file);
  }

  stored(key: TrackKey, file: GrowingFile): void {
    const listed = this.#listed(file);
    this.#grow(key, listed.folder, this.#track(key).update(listed, true));
  }

  closed(key: TrackKey, file: GrowingFile): void {
    const listed = this.#listed(file);
    this.#grow(key, listed.folder, this.#track(key).update(listed, false));
    if (file.recordsAhead.length === 0) this.#growing.delete(indexPath(listed.folder, key, file.startMs));
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

  /**
   * Into each of the folders: where one is taken out, the others have them too. Without `failed` it rejects with the
   * first error. What no folder took is kept for the next time.
   */
  async writeNotes(
    folders: readonly string[] = [this.mainFolder],
    failed: (folder: string, error: unknown) => void = (_, error) => {
      throw error;
    },
  ): Promise<void> {
    for (const { key, notes } of this.#tracks.values()) {
      const unwritten = notes.takeUnwritten();
      if (unwritten.length === 0) continue;
      const results = await Promise.allSettled(folders.map((folder) => this.appendNotes(folder, key, unwritten)));
      if (results.every(({ status }) => status === 'rejected')) notes.putBack(unwritten);
      for (const [at, result] of results.entries()) {
        const folder = folders[at];
        if (result.status === 'rejected' && folder !== undefined) failed(folder, result.reason);
      }
    }
  }

  async appendNotes(folder: string, key: TrackKey, notes: readonly TrackNote[]): Promise<void> {
    await appendNotes(this.#disk, trackFolder(folder, key), notes);
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

  /** Files of a folder that can be reached, open ones too. */
  filesOn(folder: string): { readonly key: TrackKey; readonly file: RecordedFile; readonly isOpen: boolean }[] {
    return [...this.#tracks.values()].flatMap((track) => track.filesOn(folder));
  }

  /** The file is in another folder from now on. */
  moved(key: TrackKey, startMs: number, folder: string): void {
    const track = this.#track(key);
    const found = track.find(startMs);
    if (!found) return;
    const { mediaBytes, indexBytes } = found.file;
    this.#grow(key, this.folderOf(key, startMs), -(mediaBytes + indexBytes));
    this.#forgetIndex(this.mediaPath(key, startMs), this.indexPath(key, startMs));
    track.moved(startMs, folder);
    this.#grow(key, folder, mediaBytes + indexBytes);
  }

  /** Whether a recorder writes into the folder. */
  hasOpen(folder: string): boolean {
    return [...this.#tracks.values()].some((track) => track.hasOpen(folder));
  }

  /** Folders with recordings that can be reached. */
  get folders(): readonly string[] {
    return this.#use.folders;
  }

  oldestOfEach(isKept: IsKept): readonly Removable[] {
    return [...this.#tracks.values()].flatMap((track): Removable[] => {
      const file = track.oldestFinished((one) => isKept(track.key, one));
      return file ? [{ key: track.key, file }] : [];
    });
  }

  *finishedByTrack(isKept: IsKept): Iterable<readonly Removable[]> {
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
    return this.#damage.before(this.mediaPath(key, startMs), records);
  }

  /** `records`: all of the file. From the damaged one to the next keyframe nothing can be shown, and the timeline gives the reason. */
  markDamaged(key: TrackKey, startMs: number, records: readonly IndexRecord[], at: number): void {
    const path = this.mediaPath(key, startMs);
    const range = this.#damage.add(path, records, at);
    if (range && this.#damage.takesNote(path)) this.note(key, { kind: 'damaged', ...range });
  }

  /** A file with a damaged start: none of it can be decoded. */
  markAllDamaged(key: TrackKey, startMs: number, records: readonly IndexRecord[]): void {
    const range = this.#damage.addAll(this.mediaPath(key, startMs), records);
    if (range) this.note(key, { kind: 'damaged', ...range });
  }

  /** Null if the file is gone or the index belongs to another one. Indexes of finished files are cached. */
  async readIndex(key: TrackKey, startMs: number): Promise<FileIndex | null> {
    const found = this.#track(key).find(startMs);
    if (!found) return null;
    const path = this.indexPath(key, startMs);
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
    if (index) this.#remember(this.indexPath(key, file.startMs), index);
  }

  /** Recordings missing from a damaged index cannot be played until the checker has rebuilt it. */
  #noteUnnamed(key: TrackKey, file: RecordedFile, records: readonly IndexRecord[]): void {
    const endMs = records.reduce((latest, record) => Math.max(latest, recordEndMs(record)), file.startMs);
    if (file.endMs - endMs > 1) this.note(key, { kind: 'damaged', startMs: endMs, endMs: file.endMs });
  }

  mediaPath(key: TrackKey, startMs: number): string {
    return mediaPath(this.folderOf(key, startMs), key, startMs);
  }

  indexPath(key: TrackKey, startMs: number): string {
    return indexPath(this.folderOf(key, startMs), key, startMs);
  }

  /** Removed from the list first: no new reader finds it; current readers keep their open file. */
  async remove(key: TrackKey, startMs: number): Promise<void> {
    const [media, index] = [this.mediaPath(key, startMs), this.indexPath(key, startMs)];
    const taken = this.#track(key).take(startMs);
    if (!taken) return;
    const folder = taken.file.folder ?? this.mainFolder;
    this.#grow(key, folder, -(taken.file.mediaBytes + taken.file.indexBytes));
    this.#forgetIndex(media, index);
    await removeRecordedFile({ disk: this.#disk, folder, key, startMs, beside: taken.beside });
  }

  /** Its media is in an object store alone from now on, and takes no room here. */
  released(key: TrackKey, startMs: number): void {
    const track = this.#track(key);
    const found = track.find(startMs);
    if (found) this.#grow(key, this.folderOf(key, startMs), track.update({ ...found.file, mediaBytes: 0 }, false));
  }

  /** After a repair: the file is shorter or gone. */
  replace(key: TrackKey, startMs: number, file: RecordedFile | null): void {
    const track = this.#track(key);
    const folder = this.folderOf(key, startMs);
    this.#forgetIndex(this.mediaPath(key, startMs), this.indexPath(key, startMs));
    const taken = track.take(startMs);
    if (taken) this.#grow(key, folder, -(taken.file.mediaBytes + taken.file.indexBytes));
    if (file) this.#grow(key, folder, track.insert({ ...file, folder }, false));
  }

  /** All recordings of a channel on these folders, whatever their quality. Its recorders must be closed. */
  async removeChannel(channelId: string, folders: readonly string[] = [this.mainFolder]): Promise<void> {
    this.#use.forgetChannel(channelId);
    for (const [name, { key }] of this.#tracks) if (key.channelId === channelId) this.#tracks.delete(name);
    for (const folder of folders) await this.#disk.removeTree(channelFolder(folder, channelId));
  }

  /** Of a folder that was away when the channel was removed: none of it is assigned any more. */
  async removeChannelFrom(folder: string, channelId: string): Promise<void> {
    for (const track of this.#tracks.values()) if (track.key.channelId === channelId) track.forget(folder);
    this.#use.forgetChannel(channelId, folder);
    await this.#disk.removeTree(channelFolder(folder, channelId));
  }

  #forgetIndex(media: string, index: string): void {
    this.#damage.forget(media);
    this.#indexes.delete(index);
    this.#growing.delete(index);
  }

  #grow({ channelId }: TrackKey, folder: string, bytes: number): void {
    this.#use.grow(folder, channelId, bytes);
  }

  #listed({ startMs, endMs, mediaBytes, indexBytes, folder = this.mainFolder }: GrowingFile) {
    return { startMs, endMs, mediaBytes, indexBytes, folder };
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
