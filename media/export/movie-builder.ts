// Plans one MP4 from stored fragments: sample tables, edit lists for the exact range, and the bytes to copy. Samples are not changed.
import { MOVIE_TIMESCALE, type MovieEdit, type MovieTrack, writeMovieHeader } from '@vedette/protocols/mp4/movie.ts';
import { type ReadSample, findBox, readBoxes } from '@vedette/protocols/mp4/box-reader.ts';
import { readInitSegment, type ReadTrack } from '@vedette/protocols/mp4/init-reader.ts';
import { recordEndMs, VIDEO_TIMESCALE } from '../recordings/index-record.ts';
import { SPAN_GAP_MS } from '../recordings/recordings-store.ts';
import type { TimeAnchor } from './burn-in-script.ts';
import type { Piece } from './export-plan.ts';
import { NumberList, SampleTable } from './sample-table.ts';
import type { PieceHeader, SourceRun } from './source-reader.ts';

/** Longer gaps are removed from the movie. */
const GAP_TICKS = (SPAN_GAP_MS * VIDEO_TIMESCALE) / 1000;

export interface Copy {
  readonly fileStartMs: number;
  readonly offset: number;
  readonly length: number;
  /** Frames: where the last of them ends, in ticks of the video track. Audio: -1. */
  readonly videoEnd: number;
}

const FIELDS = 4;

/** Byte ranges of recorded files, to copy in order. */
export class CopyList {
  readonly #numbers = new NumberList();
  #bytes = 0;

  get length(): number {
    return this.#numbers.length / FIELDS;
  }

  get bytes(): number {
    return this.#bytes;
  }

  add({ fileStartMs, offset, length, videoEnd }: Copy): void {
    for (const value of [fileStartMs, offset, length, videoEnd]) this.#numbers.push(value);
    this.#bytes += length;
  }

  at(index: number): Copy {
    const [fileStartMs, offset, length, videoEnd] = [0, 1, 2, 3].map((field) =>
      this.#numbers.at(index * FIELDS + field),
    );
    return {
      fileStartMs: fileStartMs as number,
      offset: offset as number,
      length: length as number,
      videoEnd: videoEnd as number,
    };
  }
}

export interface PlannedMovie {
  /** File header, before the copied bytes. */
  readonly head: Uint8Array;
  readonly copies: CopyList;
  /** Start of the first frame and end of the last one, wall-clock ms. */
  readonly startMs: number;
  readonly endMs: number;
  readonly pictures: number;
  /** As in the head; the first is the video. */
  readonly tracks: readonly [MovieTrack, ...MovieTrack[]];
  /** The shown stretch, in ticks of the video track. */
  readonly shown: { readonly start: number; readonly end: number };
  readonly anchors: readonly TimeAnchor[];
}

interface Shown {
  /** Ticks of the movie's time line. */
  start: number;
  end: number;
  startMs: number;
  endMs: number;
  pictures: number;
}

export class MovieBuilder {
  readonly #range: { readonly startMs: number; readonly endMs: number };
  readonly #tracks: readonly ReadTrack[];
  readonly #init: Buffer;
  readonly #copies = new CopyList();
  readonly #video = new SampleTable();
  readonly #audio = new SampleTable();
  /** Where the audio begins on the movie's time line, in its own ticks. */
  #audioStart = 0;
  #compositionBase: number | null = null;
  readonly #anchors: TimeAnchor[] = [];
  #previous: { readonly runId: number; readonly endTicks: number; readonly endMs: number } | null = null;
  readonly #shown: Shown = { start: Number.POSITIVE_INFINITY, end: 0, startMs: 0, endMs: 0, pictures: 0 };

  constructor(init: Buffer, range: { readonly startMs: number; readonly endMs: number }) {
    this.#init = init;
    this.#tracks = readInitSegment(init);
    this.#range = range;
  }

  add(piece: Piece, head: PieceHeader): void {
    const runTicks = piece.header.baseTicks + head.video.baseDts;
    this.#closeBreak(piece, runTicks);
    const start = this.#video.endTicks;
    const taken = this.#addFrames(piece, head.video, start);
    if (head.audio) this.#addAudio(piece, head.audio, { start, runTicks, isCut: taken < head.video.samples.length });
  }

  /** Null if no frame of these pieces is in the range. */
  finish(): PlannedMovie | null {
    const { start, end, startMs, endMs, pictures } = this.#shown;
    if (pictures === 0) return null;
    const video = this.#track('video', this.#video, [
      { duration: end - start, mediaTime: start + (this.#compositionBase ?? 0) },
    ]);
    const sound = this.#audio.isEmpty ? [] : [this.#track('audio', this.#audio, this.#audioEdits())];
    const tracks: PlannedMovie['tracks'] = [video, ...sound];
    const head = writeMovieHeader({ createdMs: startMs, tracks, mediaBytes: this.#copies.bytes });
    const times = { startMs: Math.round(startMs), endMs: Math.round(endMs), shown: { start, end } };
    const anchors = this.#anchors.map(({ at, wallMs }) => ({ at: at - start, wallMs }));
    return { head, copies: this.#copies, ...times, pictures, tracks, anchors };
  }

  /** A short gap keeps its duration, so that audio and video stay in sync; a longer one is removed. */
  #closeBreak({ header, record }: Piece, runTicks: number): void {
    const previous = this.#previous;
    if (!previous) return;
    const gap =
      previous.runId === header.runId
        ? runTicks - previous.endTicks
        : Math.round(((record.wallMs - previous.endMs) * VIDEO_TIMESCALE) / 1000);
    if (gap > 0 && gap < GAP_TICKS) this.#video.stretchLast(gap);
  }

  /** Returns how many were used: later ones are after the range. */
  #addFrames({ fileStartMs, header, record }: Piece, run: SourceRun, start: number): number {
    this.#compositionBase ??= run.samples[0]?.ctsOffset ?? 0;
    const walls = captureTimes(run.samples, record.wallMs);
    const count = walls.findLastIndex((wall) => wall < this.#range.endMs) + 1;
    const taken = run.samples.slice(0, count);
    this.#anchors.push({ at: start + (run.samples[0]?.ctsOffset ?? 0) - this.#compositionBase, wallMs: record.wallMs });
    let ticks = start;
    for (const [index, sample] of taken.entries()) {
      this.#show(ticks + sample.ctsOffset - this.#compositionBase, sample.duration, walls[index] as number);
      ticks += sample.duration;
    }
    this.#video.addChunk(this.#copies.bytes, taken);
    this.#copies.add({ fileStartMs, offset: run.dataAt, length: sizeOf(taken), videoEnd: this.#video.endTicks });
    const spent = run.samples.reduce((sum, { duration }) => sum + duration, 0);
    const endTicks = header.baseTicks + run.baseDts + spent;
    this.#previous = { runId: header.runId, endTicks, endMs: recordEndMs(record) };
    return count;
  }

  #show(at: number, duration: number, wallMs: number): void {
    const { startMs, endMs } = this.#range;
    if (wallMs < startMs || wallMs >= endMs) return;
    const shown = this.#shown;
    if (at < shown.start) Object.assign(shown, { start: at, startMs: wallMs });
    if (at + duration > shown.end) {
      Object.assign(shown, { end: at + duration, endMs: wallMs + (duration * 1000) / VIDEO_TIMESCALE });
    }
    shown.pictures += 1;
  }

  #addAudio(
    { fileStartMs, header }: Piece,
    run: SourceRun,
    { start, runTicks, isCut }: { readonly start: number; readonly runTicks: number; readonly isCut: boolean },
  ): void {
    const rate = header.audioRate;
    const base = Math.round((header.baseTicks * rate) / VIDEO_TIMESCALE);
    const runStart = base + run.baseDts + Math.round(((start - runTicks) * rate) / VIDEO_TIMESCALE);
    const soundEnd = this.#audio.isEmpty ? 0 : this.#audioStart + this.#audio.endTicks;
    const limit = isCut ? (this.#video.endTicks * rate) / VIDEO_TIMESCALE : Number.POSITIVE_INFINITY;
    const placed = placeAudio(run.samples, runStart, { soundEnd, limit });
    if (placed === null) return;
    const { placedAt, skippedBytes, taken } = placed;
    if (this.#audio.isEmpty) this.#audioStart = Math.max(0, placedAt);
    else if (placedAt > soundEnd) this.#audio.stretchLast(placedAt - soundEnd);
    this.#audio.addChunk(this.#copies.bytes, taken);
    this.#copies.add({ fileStartMs, offset: run.dataAt + skippedBytes, length: sizeOf(taken), videoEnd: -1 });
  }

  /** The same range as the video; silence until the audio starts. */
  #audioEdits(): MovieEdit[] {
    const { start, end } = this.#shown;
    const rate = this.#source('audio').timescale;
    const from = Math.round((start * rate) / VIDEO_TIMESCALE);
    const silent = Math.max(0, this.#audioStart - from);
    const mediaTime = Math.max(0, from - this.#audioStart);
    const silentMovie = Math.round((silent * MOVIE_TIMESCALE) / rate);
    const heard = Math.round(((this.#audio.endTicks - mediaTime) * MOVIE_TIMESCALE) / rate);
    const duration = Math.max(0, Math.min(heard, end - start - silentMovie));
    const edit = { duration, mediaTime };
    return silent > 0 ? [{ duration: silentMovie, mediaTime: -1 }, edit] : [edit];
  }

  #track(kind: 'video' | 'audio', table: SampleTable, edits: readonly MovieEdit[]): MovieTrack {
    const { id, timescale, width, height } = this.#source(kind);
    const sampleDescription = sampleDescriptionOf(this.#init, kind);
    return { id, kind, timescale, width, height, sampleDescription, edits, ...table.tables() };
  }

  #source(kind: 'video' | 'audio'): ReadTrack {
    const track = this.#tracks.find((one) => one.kind === kind);
    if (!track) throw new RangeError(`no ${kind} in the init segment`);
    return track;
  }
}

interface PlacedAudio {
  readonly placedAt: number;
  /** Totals of the samples before the used ones. */
  readonly skippedBytes: number;
  readonly taken: readonly ReadSample[];
}

/** What can be heard between the end of the audio so far and the limit; null where that is nothing. */
function placeAudio(
  samples: readonly ReadSample[],
  runStart: number,
  { soundEnd, limit }: { readonly soundEnd: number; readonly limit: number },
): PlacedAudio | null {
  let at = runStart;
  let skippedBytes = 0;
  let placedAt: number | null = null;
  const taken: ReadSample[] = [];
  for (const sample of samples) {
    // Skips audio before the first frame, or that would repeat after a gap.
    const isEarly = placedAt === null && at < soundEnd - sample.duration / 2;
    if (!isEarly && at < limit) {
      placedAt ??= at;
      taken.push(sample);
    } else if (placedAt === null) skippedBytes += sample.size;
    at += sample.duration;
  }
  return placedAt === null ? null : { placedAt, skippedBytes, taken };
}

/** Capture time of each frame, ms, from the clock of its fragment. */
function captureTimes(samples: readonly ReadSample[], wallMs: number): number[] {
  const first = samples[0]?.ctsOffset ?? 0;
  let ticks = 0;
  return samples.map(({ duration, ctsOffset }) => {
    const at = wallMs + ((ticks + ctsOffset - first) * 1000) / VIDEO_TIMESCALE;
    ticks += duration;
    return at;
  });
}

function sizeOf(samples: readonly ReadSample[]): number {
  return samples.reduce((sum, { size }) => sum + size, 0);
}

/** The stsd box of the first track of a kind, as it stands in the init segment. */
export function sampleDescriptionOf(init: Buffer, kind: 'video' | 'audio'): Uint8Array {
  const movie = findBox(init, ['moov']);
  const wanted = kind === 'video' ? 'vmhd' : 'smhd';
  for (const track of movie ? readBoxes(init, movie.contentStart, movie.end) : []) {
    if (track.type !== 'trak') continue;
    const { contentStart, end } = track;
    if (!findBox(init, ['mdia', 'minf', wanted], contentStart, end)) continue;
    const found = findBox(init, ['mdia', 'minf', 'stbl', 'stsd'], contentStart, end);
    if (found) return init.subarray(found.start, found.end);
  }
  throw new RangeError(`no ${kind} in the init segment`);
}
