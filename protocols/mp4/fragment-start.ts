// The time of a fragment's first sample, read without an object for each box: a wall of tiles asks for it hundreds of times a second.
import { get32, get64, Mp4Error } from './box-reader.ts';

/** In ticks of the track. */
export interface FragmentStart {
  readonly dts: number;
  readonly ctsOffset: number;
}

const MOOF = 0x6d6f6f66;
const TRAF = 0x74726166;
const TFDT = 0x74666474;
const TRUN = 0x7472756e;
const FULL_BOX_BYTES = 12;

/** Of the first track in the moof at 0, in boxes with sizes of 32 bits. Throws Mp4Error where its first run has no sample. */
export function readFragmentStart(bytes: Uint8Array): FragmentStart {
  const moof = findChild(bytes, 0, bytes.length, MOOF);
  const traf = moof === 0 ? findChild(bytes, 8, boxEnd(bytes, 0), TRAF) : -1;
  if (traf < 0) throw new Mp4Error('no whole moof here');
  const end = boxEnd(bytes, traf);
  const run = findChild(bytes, traf + 8, end, TRUN);
  if (run < 0 || run + FULL_BOX_BYTES + 4 > boxEnd(bytes, run)) throw new Mp4Error('a fragment without sample');
  return { dts: decodeTime(bytes, findChild(bytes, traf + 8, end, TFDT)), ctsOffset: firstOffset(bytes, run) };
}

/** Place of the first whole box of a type in `[from, to)`; -1 where there is none. */
function findChild(bytes: Uint8Array, from: number, to: number, type: number): number {
  let at = from;
  while (at + 8 <= to) {
    const end = boxEnd(bytes, at);
    if (end < at + 8) throw new Mp4Error('box too small');
    if (end > to) return -1;
    if (get32(bytes, at + 4) === type) return at;
    at = end;
  }
  return -1;
}

function boxEnd(bytes: Uint8Array, at: number): number {
  return at + get32(bytes, at);
}

/** 8.8.12 */
function decodeTime(bytes: Uint8Array, box: number): number {
  if (box < 0) return 0;
  const isLong = bytes[box + 8] === 1;
  if (box + FULL_BOX_BYTES + (isLong ? 8 : 4) > boxEnd(bytes, box)) throw new Mp4Error('box ends early');
  return isLong ? get64(bytes, box + FULL_BOX_BYTES) : get32(bytes, box + FULL_BOX_BYTES);
}

/** 8.8.8: behind the count stand the data offset, the first flags, then the fields of the first sample, each where its flag says so. */
function firstOffset(bytes: Uint8Array, run: number): number {
  const flags = get32(bytes, run + 8) & 0xffffff;
  if (get32(bytes, run + FULL_BOX_BYTES) === 0) throw new Mp4Error('a fragment without sample');
  if ((flags & 0x800) === 0) return 0;
  let at = run + FULL_BOX_BYTES + 4;
  for (const flag of [0x1, 0x4, 0x100, 0x200, 0x400]) if (flags & flag) at += 4;
  if (at + 4 > boxEnd(bytes, run)) throw new Mp4Error('box ends early');
  const offset = get32(bytes, at);
  return bytes[run + 8] === 0 ? offset : offset | 0;
}
