// One track of recordings in memory: its files in order of time, its recorded spans, its gaps and their reasons.
import type { RecordedSpan, RecordingGap } from '@vedette/contract/site/site.ts';
import { JoinedSpans, SPAN_GAP_MS } from './gaps/joined-spans.ts';
import { AwayFiles, joined } from './gaps/away-files.ts';
import { gapsAround } from './gaps/recording-gaps.ts';
import type { TrackKey } from './recording-path.ts';
import { type TimeRange, TrackNotes } from './gaps/track-notes.ts';

/** Longest file: how far before an instant its file may start. */
const FILE_MAX_MS = 15 * 60_000;
/** The newest recording always lags a little: no gap, unless a reason is known. */
const LIVE_EDGE_MS = 10_000;

export interface RecordedFile {
  readonly startMs: number;
  readonly endMs: number;
  readonly mediaBytes: number;
  readonly indexBytes: number;
  /** Storage folder that holds it; absent: the only one of its store. */
  readonly folder?: string | undefined;
}

interface StoredFile extends RecordedFile {
  endMs: number;
  mediaBytes: number;
  indexBytes: number;
  folder: string | undefined;
  isOpen: boolean;
}

export class RecordedTrack {
  readonly key: TrackKey;
  readonly notes = new TrackNotes();
  /** Sorted by start; two may overlap after a clock was set. */
  readonly #files: StoredFile[] = [];
  readonly #spans = new JoinedSpans();
  /** On storage folders that cannot be reached. */
  readonly #away = new AwayFiles<StoredFile>();

  constructor(key: TrackKey) {
    this.key = { channelId: key.channelId, quality: key.quality };
  }

  /** Those that can be reached. */
  get files(): readonly RecordedFile[] {
    return this.#files;
  }

  /** From now on what the folder holds cannot be reached. */
  leave(folder: string): void {
    const away = this.#files.filter((one) => one.folder === folder);
    const present = this.#files.filter((one) => one.folder !== folder);
    if (away.length === 0) return;
    this.#files.splice(0, this.#files.length, ...present);
    this.#spans.changed();
    this.#away.add(folder, away);
  }

  /** The folder can be reached again, with the files that it had. */
  comeBack(folder: string): void {
    for (const file of this.#away.take(folder)) if (!this.#find(file.startMs)) this.insert(file, false);
  }

  /** The files of the folder are read anew, or are none of ours any more. */
  forget(folder: string): void {
    this.#away.take(folder);
    const left = this.#files.filter((one) => one.folder !== folder);
    if (left.length === this.#files.length) return;
    this.#files.splice(0, this.#files.length, ...left);
    this.#spans.changed();
  }

  /** What was known of a folder that could not be reached since this process started. */
  setAway(folder: string, ranges: readonly TimeRange[]): void {
    this.#away.set(folder, ranges);
  }

  /** The ranges of the files of a folder, joined where the gap is below 2 s. */
  rangesOf(folder: string): readonly TimeRange[] {
    const present = this.#files.filter((one) => one.folder === folder);
    return present.length > 0 ? joined(present) : this.#away.rangesOf(folder);
  }

  filesOn(folder: string): { readonly key: TrackKey; readonly file: RecordedFile; readonly isOpen: boolean }[] {
    const files = this.#files.filter((one) => one.folder === folder);
    return files.map((file) => ({ key: this.key, file: pick(file), isOpen: file.isOpen }));
  }

  /** The file is in another folder from now on. */
  moved(startMs: number, folder: string): void {
    const found = this.#find(startMs);
    if (found) found.folder = folder;
  }

  /** Where the newest recordings end; null without any. */
  get endMs(): number | null {
    // Checks the last few: starts are sorted, ends nearly are.
    return this.#files.slice(-8).reduce<number | null>((latest, { endMs }) => Math.max(latest ?? endMs, endMs), null);
  }

  /** Returns by how many bytes the track grew. */
  insert(file: RecordedFile, isOpen: boolean): number {
    const stored: StoredFile = { ...pick(file), isOpen };
    const at = firstAfter(this.#files, file.startMs);
    if (at === this.#files.length) this.#spans.appended(file);
    else this.#spans.changed();
    this.#files.splice(at, 0, stored);
    return stored.mediaBytes + stored.indexBytes;
  }

  /** Size and end of a file grew; returns by how many bytes. */
  update(file: RecordedFile, isOpen: boolean): number {
    const found = this.#find(file.startMs);
    if (!found) {
      this.#away.update(pick(file));
      return 0;
    }
    const grown = file.mediaBytes + file.indexBytes - found.mediaBytes - found.indexBytes;
    if (found === this.#files.at(-1)) this.#spans.grown(file.endMs);
    else if (found.endMs !== file.endMs) this.#spans.changed();
    Object.assign(found, pick(file), { isOpen });
    return grown;
  }

  /** Removes the file from the list, so that no new reader finds it. Null if absent. `beside`: its neighbours in the same folder. */
  take(startMs: number): { readonly file: RecordedFile; readonly beside: readonly RecordedFile[] } | null {
    const at = this.#files.findIndex((file) => file.startMs === startMs);
    const [file] = at < 0 ? [] : this.#files.splice(at, 1);
    if (!file) return null;
    const [oldest] = this.#files;
    if (at === 0) this.#spans.shortened(file, oldest);
    else this.#spans.changed();
    if (oldest) this.notes.prune(oldest.startMs);
    const isBeside = (one: StoredFile): boolean => one.folder === file.folder;
    const before = this.#files.findLast((one, place) => place < at && isBeside(one));
    const after = this.#files.find((one, place) => place >= at && isBeside(one));
    return { file, beside: [before ?? [], after ?? []].flat() };
  }

  hasOpen(folder: string): boolean {
    return this.#files.some((one) => one.isOpen && one.folder === folder);
  }

  find(startMs: number): { readonly file: RecordedFile; readonly isOpen: boolean } | null {
    const file = this.#find(startMs);
    return file && { file, isOpen: file.isOpen };
  }

  /** Files with anything in `[from, to)`, in order of their start. */
  between(from: number, to: number): RecordedFile[] {
    const found: RecordedFile[] = [];
    for (let at = firstAfter(this.#files, from - FILE_MAX_MS); at < this.#files.length; at += 1) {
      const file = this.#files[at] as StoredFile;
      if (file.startMs >= to) break;
      if (file.endMs > from) found.push(file);
    }
    return found;
  }

  oldestFinished(isKept: (file: RecordedFile) => boolean): RecordedFile | null {
    return this.#files.find((file) => !file.isOpen && !isKept(file)) ?? null;
  }

  finished(isKept: (file: RecordedFile) => boolean): readonly RecordedFile[] {
    return this.#files.filter((file) => !file.isOpen && !isKept(file));
  }

  /** Of files that take room. */
  get hasFinished(): boolean {
    return this.#files.some((file) => !file.isOpen && file.mediaBytes > 0);
  }

  /** Merged where the gap is below 2 s, with alarm and backfilled recordings apart, clipped to the range, oldest first. */
  spans(from: number, to: number): RecordedSpan[] {
    const whole = without(this.#spans.within(this.#files, from, to), this.notes.marks('damaged', from, to));
    const typed = byType(whole, this.notes.marks('alarm', from, to));
    const filled = this.notes.marks('filled', from, to);
    return filled.length === 0 ? typed : typed.flatMap((span) => withBackfilled(span, filled));
  }

  /** From the oldest recording or note to `nowMs`, clipped to the range, oldest first. */
  gaps(from: number, to: number, nowMs: number): RecordingGap[] {
    const away = this.#away.within(from, Math.min(to, nowMs));
    const known = Math.min(
      this.#files[0]?.startMs ?? Infinity,
      this.notes.all[0]?.startMs ?? Infinity,
      away[0]?.startMs ?? Infinity,
    );
    const begin = Math.max(from, known);
    const end = Math.min(to, nowMs);
    const gaps: RecordingGap[] = [];
    const noted = this.notes.reasons(begin, end);
    const add = ({ startMs, endMs }: TimeRange): void => {
      if (endMs - startMs < SPAN_GAP_MS) return;
      for (const gap of gapsAround({ startMs, endMs }, { away, noted })) gaps.push(gap);
    };
    let at = begin;
    const damaged = this.notes.marks('damaged', begin, end);
    for (const { startMs, endMs } of this.#spans.within(this.#files, begin, end)) {
      add({ startMs: at, endMs: startMs });
      gaps.push(...damagedWithin({ startMs, endMs }, damaged));
      at = Math.max(at, endMs);
    }
    const last = { startMs: at, endMs: end };
    const isNoted = [...noted, ...away].some(({ endMs }) => endMs > at);
    if (isNoted || end < nowMs || end - at >= LIVE_EDGE_MS) add(last);
    return gaps;
  }

  #find(startMs: number): StoredFile | null {
    const file = this.#files[firstAfter(this.#files, startMs) - 1];
    return file?.startMs === startMs ? file : null;
  }
}

/** Damaged ranges within a span, however short. */
function damagedWithin(span: TimeRange, damaged: readonly TimeRange[]): RecordingGap[] {
  return damaged.flatMap(({ startMs, endMs }) => {
    const startTime = Math.round(Math.max(startMs, span.startMs));
    const endTime = Math.round(Math.min(endMs, span.endMs));
    return endTime > startTime ? [{ startTime, endTime, reason: 'damaged' as const }] : [];
  });
}

/** Both by time: what is left of `spans`. */
function without(spans: readonly TimeRange[], holes: readonly TimeRange[]): readonly TimeRange[] {
  if (holes.length === 0) return spans;
  return spans.flatMap((span) => {
    const left: TimeRange[] = [];
    let at = span.startMs;
    for (const { startMs, endMs } of holes) {
      if (endMs <= at || startMs >= span.endMs) continue;
      if (startMs > at) left.push({ startMs: at, endMs: startMs });
      at = endMs;
    }
    return at < span.endMs ? [...left, { startMs: at, endMs: span.endMs }] : left;
  });
}

/** Both sorted; merges the two. */
function byType(spans: readonly TimeRange[], alarms: readonly TimeRange[]): RecordedSpan[] {
  const typed: RecordedSpan[] = [];
  const add = (from: number, to: number, recordType: 1 | 2): void => {
    const [startTime, endTime] = [Math.round(from), Math.round(to)];
    if (endTime > startTime) typed.push({ startTime, endTime, recordType });
  };
  let next = 0;
  for (const { startMs, endMs } of spans) {
    let at = startMs;
    while ((alarms[next]?.endMs ?? Infinity) <= startMs) next += 1;
    for (let touching = next; ; touching += 1) {
      const alarm = alarms[touching];
      if (!alarm || alarm.startMs >= endMs) break;
      add(at, alarm.startMs, 1);
      add(Math.max(at, alarm.startMs), Math.min(endMs, alarm.endMs), 2);
      at = Math.min(endMs, alarm.endMs);
    }
    add(at, endMs, 1);
  }
  return typed;
}

/** Split at the boundaries of backfilled ranges. */
function withBackfilled(span: RecordedSpan, filled: readonly TimeRange[]): RecordedSpan[] {
  const pieces: RecordedSpan[] = [];
  let at = span.startTime;
  for (const { startMs, endMs } of filled) {
    const [startTime, endTime] = [Math.max(at, Math.round(startMs)), Math.min(span.endTime, Math.round(endMs))];
    if (endTime <= startTime) continue;
    if (startTime > at) pieces.push({ ...span, startTime: at, endTime: startTime });
    pieces.push({ ...span, startTime, endTime, isFilled: true });
    at = endTime;
  }
  if (at < span.endTime) pieces.push({ ...span, startTime: at });
  return pieces;
}

function pick({ startMs, endMs, mediaBytes, indexBytes, folder }: RecordedFile) {
  return { startMs, endMs, mediaBytes, indexBytes, folder };
}

/** Index of the first file that starts after `startMs`. */
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
