// Reads segments and init segments from recorded files; only decode times are rewritten to fit the playlist.
import { CLOCK_BOX_BYTES } from '../recordings/file-boxes.ts';
import { type FileIndex, type IndexRecord, recordEndMs, VIDEO_TIMESCALE } from '../recordings/index-record.ts';
import { type RecordedMedia, readProven, readProvenInit } from '../recordings/check/proven-media.ts';
import { cutRecord } from './cut-record.ts';
import { frameRange, silentFrames, writeAacFragment } from './encoded-audio/aac-grid.ts';
import { withEncodedAudio, withoutAudio } from './encoded-audio/hls-init.ts';
import type { RecordedAac } from './encoded-audio/recorded-aac.ts';
import type { InitRef, SegmentRef } from './hls-playlist.ts';

/** Offset of decode times, so that audio that starts before its video stays in place. */
const LEAD_TICKS = VIDEO_TIMESCALE;
/** Where our writer puts the decode time, from the first byte of a moof (protocols/mp4/fragment.ts). */
const DECODE_TIME_AT = 60;

export interface SegmentShape {
  /** Wall clock at which the last record is cut, ms. */
  readonly cutMs?: number | null;
  /** Makes audio that browsers can append where the recording has none; absent: none is served there. */
  readonly aac?: RecordedAac | null;
}

/** Bytes of a segment up to the first damaged fragment, with audio if it is wanted and browsers can append it. Throws RangeError if nothing is left. */
export async function readSegment(
  media: RecordedMedia,
  index: FileIndex,
  ref: SegmentRef,
  { cutMs = null, aac = null }: SegmentShape = {},
): Promise<readonly Buffer[]> {
  const isPlayable = index.header.audio === 'playable';
  if (!ref.hasAudio || isPlayable || aac === null) {
    return (await readParts({ media, index, ref, cutMs, withAudio: ref.hasAudio && isPlayable })).parts;
  }
  const video = await readParts({ media, index, ref, cutMs, withAudio: false });
  const audio = await encodedAudio({ media, index, ref, cutMs, aac }, video);
  return video.parts.flatMap((part, at) => [part, audio[at] ?? Buffer.alloc(0)]);
}

interface PartsRequest {
  readonly media: RecordedMedia;
  readonly index: FileIndex;
  readonly ref: SegmentRef;
  readonly cutMs: number | null;
  readonly withAudio: boolean;
}

interface SegmentParts {
  readonly records: readonly IndexRecord[];
  /** Decode time of each record in its file. */
  readonly ticks: readonly number[];
  /** Without audio one for each record. */
  readonly parts: readonly Buffer[];
}

async function readParts({ media, index, ref, cutMs, withAudio }: PartsRequest): Promise<SegmentParts> {
  const { records, bytes } = await readProven(media, index, ref, withAudio);
  const [first] = records;
  const last = records.at(-1);
  if (!first || !last) throw new RangeError('no such records');
  const start = first.offset;
  // Contiguous decode times, as the playlist counts them: skipped frames take no time.
  let at = LEAD_TICKS + ref.positionTicks;
  const ticks: number[] = [];
  for (const record of records) {
    ticks.push(readDecodeTime(bytes, record.offset - start + CLOCK_BOX_BYTES));
    placeAt(bytes, record, { at, start, index, withAudio });
    at += record.durationTicks;
  }
  const parts = withAudio
    ? [bytes.subarray(0, last.offset - start), bytes.subarray(last.offset - start)]
    : records.map((record) => bytes.subarray(record.offset - start, record.offset - start + record.videoBytes));
  const tail = parts.pop();
  if (tail === undefined) throw new RangeError('no such records');
  // Damage ended it earlier: nothing to cut.
  const isWhole = cutMs === null || recordEndMs(last) <= cutMs;
  const audioRate = withAudio ? index.header.audioRate : 0;
  return { records, ticks, parts: [...parts, isWhole ? tail : cutRecord(tail, last, { cutMs, audioRate })] };
}

interface Encoding extends Omit<PartsRequest, 'withAudio'> {
  readonly aac: RecordedAac;
}

/** A fragment of AAC for each record. */
async function encodedAudio(
  { media, index, ref, cutMs, aac }: Encoding,
  { records, ticks: fileTicks }: SegmentParts,
): Promise<Buffer[]> {
  const { runId, baseTicks, audio } = index.header;
  let at = LEAD_TICKS + ref.positionTicks;
  const fragments: Buffer[] = [];
  for (const [of, { wallMs, durationTicks }] of records.entries()) {
    const ticks = baseTicks + (fileTicks[of] as number);
    const cutTicks = cutMs === null ? undefined : ticks + ((cutMs - wallMs) * VIDEO_TIMESCALE) / 1000;
    const range = frameRange({ fromTicks: ticks, toTicks: ticks + durationTicks }, cutTicks);
    const place = { runId, fileStartMs: ref.fileStartMs, wallMs, ticks };
    const frames = audio === 'none' ? silentFrames(range) : await aac.frames(media, place, range);
    fragments.push(writeAacFragment(frames, at - ticks));
    at += durationTicks;
  }
  return fragments;
}

interface RecordPlace {
  /** Decode time of its first picture. */
  readonly at: number;
  /** Offset of `bytes` in the file. */
  readonly start: number;
  readonly index: FileIndex;
  readonly withAudio: boolean;
}

function placeAt(bytes: Buffer, record: IndexRecord, { at, start, index, withAudio }: RecordPlace): void {
  const video = record.offset - start + CLOCK_BOX_BYTES;
  const shift = at - readDecodeTime(bytes, video);
  writeDecodeTime(bytes, video, at);
  if (!withAudio || record.videoBytes === record.totalBytes) return;
  const audio = record.offset - start + record.videoBytes;
  const audioShift = Math.round((shift * index.header.audioRate) / VIDEO_TIMESCALE);
  writeDecodeTime(bytes, audio, readDecodeTime(bytes, audio) + audioShift);
}

/** ftyp + moov; its audio track is replaced, or removed, if it is unwanted or unplayable. */
export async function readInit(
  { disk, store, key }: RecordedMedia,
  { fileStartMs, hasAudio }: InitRef,
  aac: RecordedAac | null = null,
): Promise<Buffer> {
  const { init, header } = await readProvenInit({ disk, store, key }, fileStartMs);
  if (!hasAudio) return withoutAudio(init);
  if (header.audio === 'playable') return init;
  return aac === null ? withoutAudio(init) : withEncodedAudio(init);
}

function readDecodeTime(bytes: Buffer, moof: number): number {
  if (bytes.toString('latin1', moof + DECODE_TIME_AT - 8, moof + DECODE_TIME_AT - 4) !== 'tfdt') {
    throw new RangeError('no decode time where it should be');
  }
  return Number(bytes.readBigUInt64BE(moof + DECODE_TIME_AT));
}

function writeDecodeTime(bytes: Buffer, moof: number, ticks: number): void {
  bytes.writeBigUInt64BE(BigInt(Math.max(0, ticks)), moof + DECODE_TIME_AT);
}
