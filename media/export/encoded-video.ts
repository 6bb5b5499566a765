// The frames that a burn-in encoded: their sizes and times, and the movie that holds them together with the audio as it was recorded.
import { type MovieTrack, writeMovieHeader } from '@vedette/protocols/mp4/movie.ts';
import { type Copy, type PlannedMovie, sampleDescriptionOf } from './movie-builder.ts';
import { NumberList, SampleTable, type TableSample } from './sample-table.ts';

/** Bytes of the new movie: encoded frames, or audio of a recorded file. */
export type MovieBlock =
  | { readonly from: 'encoded'; readonly offset: number; readonly length: number }
  | { readonly from: 'recorded'; readonly copy: Copy };

export interface BurntMovie {
  readonly head: Uint8Array;
  readonly bytes: number;
  readonly blocks: readonly MovieBlock[];
}

export interface EncodedFrame {
  /** Ticks from the first frame. */
  readonly dts: number;
  readonly size: number;
  readonly isKey: boolean;
}

export class EncodedVideo {
  readonly #endTicks: number;
  readonly #times = new NumberList();
  /** Negative: a keyframe. */
  readonly #sizes = new NumberList();
  #init: Buffer | null = null;

  constructor(endTicks: number) {
    this.#endTicks = endTicks;
  }

  get frames(): number {
    return this.#times.length;
  }

  /** ftyp and moov. */
  begin(init: Buffer): void {
    this.#init = init;
  }

  add({ dts, size, isKey }: EncodedFrame): void {
    this.#times.push(dts);
    this.#sizes.push(isKey ? -size : size);
  }

  /** Frames and audio alternate as in the recording. */
  movie(plan: PlannedMovie): BurntMovie {
    const [planned, sound] = plan.tracks;
    const table = new SampleTable();
    const audioOffsets: number[] = [];
    const blocks: MovieBlock[] = [];
    let [bytes, next, taken] = [0, 0, 0];
    for (let index = 0; index < plan.copies.length; index += 1) {
      const copy = plan.copies.at(index);
      const isVideo = copy.videoEnd >= 0;
      const frames = isVideo ? this.#framesUntil(next, copy.videoEnd - plan.shown.start) : [];
      const length = isVideo ? frames.reduce((sum, { size }) => sum + size, 0) : copy.length;
      if (isVideo && frames.length > 0) {
        table.addChunk(bytes, frames);
        blocks.push({ from: 'encoded', offset: taken, length });
        taken += length;
        next += frames.length;
      } else if (!isVideo) {
        audioOffsets.push(bytes);
        blocks.push({ from: 'recorded', copy });
      }
      bytes += length;
    }
    const video = this.#track(planned, table);
    const audio = sound ? [{ ...sound, chunkOffsets: Float64Array.from(audioOffsets) }] : [];
    const head = writeMovieHeader({ createdMs: plan.startMs, tracks: [video, ...audio], mediaBytes: bytes });
    return { head, bytes, blocks };
  }

  #track(planned: MovieTrack, table: SampleTable): MovieTrack {
    if (!this.#init) throw new RangeError('frames without a format');
    const sampleDescription = sampleDescriptionOf(this.#init, 'video');
    const edits = [{ duration: this.#endTicks, mediaTime: 0 }];
    return { ...planned, sampleDescription, edits, ...table.tables() };
  }

  #framesUntil(first: number, untilTicks: number): readonly TableSample[] {
    const found: TableSample[] = [];
    for (let at = first; at < this.frames && this.#times.at(at) < untilTicks; at += 1) {
      const size = this.#sizes.at(at);
      const endsAt = at + 1 < this.frames ? this.#times.at(at + 1) : Math.max(this.#endTicks, this.#times.at(at) + 1);
      found.push({ size: Math.abs(size), duration: endsAt - this.#times.at(at), isKey: size < 0, ctsOffset: 0 });
    }
    return found;
  }
}
