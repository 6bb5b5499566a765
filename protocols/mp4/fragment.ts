// Writes movie fragments: a fixed-size header for one sample, or moof + mdat for many (ISO/IEC 14496-12 8.8, 8.1.1).
import { box, fullBox, u32 } from './box-writer.ts';

/** moof and the mdat header of a one-sample fragment; the sample's bytes follow at once. */
export const SAMPLE_HEADER_BYTES = 112;

const KEY_FLAGS = 0x02000000;
const DELTA_FLAGS = 0x01010000;
const AT_SEQUENCE = 20;
const AT_DECODE_TIME = 60;
const AT_DURATION = 88;
const AT_SIZE = 92;
const AT_FLAGS = 96;
const AT_OFFSET = 100;
const AT_MDAT_SIZE = 104;
/** traf, tfhd and tfdt, and trun up to its samples; each of these has four numbers. */
const TRACK_BYTES = 64;
const SAMPLE_ENTRY_BYTES = 16;
const TYPE = {
  moof: 0x6d6f6f66,
  mfhd: 0x6d666864,
  traf: 0x74726166,
  tfhd: 0x74666864,
  tfdt: 0x74666474,
  trun: 0x7472756e,
  mdat: 0x6d646174,
} as const;

/** Of `data` only the length is written here. */
export interface TimedSample {
  readonly data: { readonly length: number };
  readonly dts: number;
  readonly isKey: boolean;
  readonly ctsOffset: number;
}

/** Writes the header of one-sample fragments of one track by patching a template. */
export class SampleFragmentWriter {
  readonly #template: Uint8Array;
  #sequence = 0;

  constructor(trackId: number) {
    const run = fullBox('trun', 1, 0xf01, u32(1), u32(SAMPLE_HEADER_BYTES), u32(0), u32(0), u32(0), u32(0));
    const track = box('traf', fullBox('tfhd', 0, 0x020000, u32(trackId)), fullBox('tfdt', 1, 0, u32(0), u32(0)), run);
    const moof = box('moof', fullBox('mfhd', 0, 0, u32(0)), track);
    this.#template = new Uint8Array(SAMPLE_HEADER_BYTES);
    this.#template.set(moof);
    this.#template.set(box('mdat'), SAMPLE_HEADER_BYTES - 8);
  }

  /** Writes SAMPLE_HEADER_BYTES at `at`; times in ticks of the track. */
  write(target: Uint8Array, at: number, { data, dts, isKey, ctsOffset }: TimedSample, duration: number): void {
    this.#sequence = (this.#sequence + 1) >>> 0;
    target.set(this.#template, at);
    put32(target, at + AT_SEQUENCE, this.#sequence);
    put32(target, at + AT_DECODE_TIME, Math.floor(dts / 0x100000000));
    put32(target, at + AT_DECODE_TIME + 4, dts >>> 0);
    put32(target, at + AT_DURATION, duration);
    put32(target, at + AT_SIZE, data.length);
    put32(target, at + AT_FLAGS, isKey ? KEY_FLAGS : DELTA_FLAGS);
    put32(target, at + AT_OFFSET, ctsOffset);
    put32(target, at + AT_MDAT_SIZE, data.length + 8);
  }
}

export interface Mp4Sample {
  readonly size: number;
  readonly duration: number;
  readonly isKey: boolean;
  readonly ctsOffset: number;
}

export interface Mp4TrackRun {
  readonly trackId: number;
  /** Decode time of the first sample in ticks of the track. */
  readonly baseDts: number;
  readonly samples: readonly Mp4Sample[];
}

/**
 * moof and mdat header for several samples of one or more tracks. The sample bytes follow in this order:
 * all samples of the first run, then all of the second.
 */
export function writeFragmentHeader(sequence: number, runs: readonly Mp4TrackRun[]): Uint8Array {
  const filled = runs.filter((run) => run.samples.length > 0);
  const moofSize = filled.reduce((sum, run) => sum + TRACK_BYTES + SAMPLE_ENTRY_BYTES * run.samples.length, 24);
  const bytes = new Uint8Array(moofSize + 8);
  putBox(bytes, 0, moofSize, TYPE.moof);
  putBox(bytes, 8, 16, TYPE.mfhd);
  put32(bytes, 20, sequence);
  let at = 24;
  let offset = moofSize + 8;
  for (const run of filled) {
    at = putTrack(bytes, at, run, offset);
    for (const { size } of run.samples) offset += size;
  }
  putBox(bytes, moofSize, offset - moofSize, TYPE.mdat);
  return bytes;
}

/** In place: a recorder writes hundreds of these a second. Answers where the next one begins. */
function putTrack(bytes: Uint8Array, start: number, { trackId, baseDts, samples }: Mp4TrackRun, data: number): number {
  const size = TRACK_BYTES + SAMPLE_ENTRY_BYTES * samples.length;
  putBox(bytes, start, size, TYPE.traf);
  putBox(bytes, start + 8, 16, TYPE.tfhd);
  put32(bytes, start + 16, 0x020000);
  put32(bytes, start + 20, trackId);
  putBox(bytes, start + 24, 20, TYPE.tfdt);
  put32(bytes, start + 32, 0x01000000);
  put32(bytes, start + 36, Math.floor(baseDts / 0x100000000));
  put32(bytes, start + 40, baseDts >>> 0);
  putBox(bytes, start + 44, size - 44, TYPE.trun);
  put32(bytes, start + 52, 0x01000f01);
  put32(bytes, start + 56, samples.length);
  put32(bytes, start + 60, data);
  let at = start + TRACK_BYTES;
  for (const sample of samples) {
    put32(bytes, at, sample.duration);
    put32(bytes, at + 4, sample.size);
    put32(bytes, at + 8, sample.isKey ? KEY_FLAGS : DELTA_FLAGS);
    put32(bytes, at + 12, sample.ctsOffset);
    at += SAMPLE_ENTRY_BYTES;
  }
  return at;
}

function putBox(target: Uint8Array, at: number, size: number, type: number): void {
  put32(target, at, size);
  put32(target, at + 4, type);
}

function put32(target: Uint8Array, at: number, value: number): void {
  target[at] = value >>> 24;
  target[at + 1] = value >>> 16;
  target[at + 2] = value >>> 8;
  target[at + 3] = value;
}
