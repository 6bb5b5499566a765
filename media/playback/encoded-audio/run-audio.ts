// The G.711 of a run of recordings between two of its instants, from whatever records and files hold it, with silence where there is none.
import { encodeG711 } from '@vedette/protocols/g711/g711.ts';
import { readFragment } from '@vedette/protocols/mp4/box-reader.ts';
import { readInitSegment } from '@vedette/protocols/mp4/init-reader.ts';
import type { G711Format } from '../../codec/aac-arguments.ts';
import { type RecordedMedia, readProvenAudio, readProvenInit } from '../../recordings/check/proven-media.ts';
import { type FileIndex, type IndexRecord, recordEndMs, VIDEO_TIMESCALE } from '../../recordings/index-record.ts';
import type { RunSpan } from './aac-grid.ts';

/** A record and its place on the time line of its run. */
export interface RunPlace {
  readonly runId: number;
  readonly fileStartMs: number;
  readonly wallMs: number;
  /** Video ticks of the run. */
  readonly ticks: number;
}

interface RunRecords {
  readonly fileStartMs: number;
  readonly index: FileIndex;
  readonly records: readonly IndexRecord[];
}

export interface FoundRecords {
  readonly files: readonly RunRecords[];
  /** The same while nothing that belongs to the span is added. */
  readonly stamp: string;
}

/** Audio is stored with the picture that was there when it arrived: by so much it may be away from its own. */
const ASTRAY_MS = 2000;

/** Records of the run that may hold audio of the span, by the wall clock around `place`. */
export async function findRunRecords(
  { store, key }: RecordedMedia,
  { runId, wallMs, ticks }: RunPlace,
  { fromTicks, toTicks }: RunSpan,
): Promise<FoundRecords> {
  const wallOf = (at: number): number => wallMs + ((at - ticks) * 1000) / VIDEO_TIMESCALE;
  const [fromMs, toMs] = [wallOf(fromTicks) - ASTRAY_MS, wallOf(toTicks) + ASTRAY_MS];
  const files: RunRecords[] = [];
  for (const { startMs } of store.files(key, fromMs, toMs)) {
    const index = await store.readIndex(key, startMs);
    if (index?.header.runId !== runId) continue;
    const records = index.records.filter(
      (record) =>
        record.wallMs < toMs && recordEndMs(record) > fromMs && store.undamaged(key, startMs, [record]).length > 0,
    );
    if (records.length > 0) files.push({ fileStartMs: startMs, index, records });
  }
  return { files, stamp: stampOf(files, toMs) };
}

/** While records are added before the end of the span, each one changes it. */
function stampOf(files: readonly RunRecords[], toMs: number): string {
  const last = files.at(-1)?.records.at(-1);
  if (last === undefined) return 'none';
  return recordEndMs(last) >= toMs ? 'whole' : `${files.at(-1)?.fileStartMs}/${last.offset}`;
}

/** Law, sampling rate and channels of a file's audio. Throws RangeError if it has no G.711. */
export async function readG711Format(media: RecordedMedia, fileStartMs: number): Promise<G711Format> {
  const { init, header } = await readProvenInit(media, fileStartMs);
  const track = readInitSegment(init).find(({ kind }) => kind === 'audio');
  if (track === undefined || header.audio !== 'g711') throw new RangeError('no G.711 there');
  const codec = track.sampleEntry === 'alaw' ? 'pcma' : 'pcmu';
  return { codec, sampleRate: header.audioRate, channels: Math.max(1, track.channels) };
}

/** Bytes of the span, and whether anything but silence is among them. */
export async function readRunAudio(
  media: RecordedMedia,
  files: readonly RunRecords[],
  { fromTicks, toTicks }: RunSpan,
  { codec, sampleRate, channels }: G711Format,
): Promise<{ readonly bytes: Buffer; readonly isSilent: boolean }> {
  const from = Math.round((fromTicks * sampleRate) / VIDEO_TIMESCALE);
  const to = Math.round((toTicks * sampleRate) / VIDEO_TIMESCALE);
  const silence = encodeG711(codec, Int16Array.of(0))[0] ?? 0;
  const target = Buffer.alloc((to - from) * channels, silence);
  let isSilent = true;
  for (const { fileStartMs, index, records } of files) {
    const base = Math.round((index.header.baseTicks * sampleRate) / VIDEO_TIMESCALE) - from;
    for (const part of await readProvenAudio(media, index, fileStartMs, records)) {
      if (part !== null && placeAudio(target, part, base, channels)) isSilent = false;
    }
  }
  return { bytes: target, isSilent };
}

/** `base`: place of the file's decode time 0 in `target`, in samples. False: nothing of it lies in there. */
function placeAudio(target: Buffer, part: Buffer, base: number, channels: number): boolean {
  let isAnyInside = false;
  for (const { baseDts, samples } of readFragment(part, 0)) {
    let at = (base + baseDts) * channels;
    for (const { offset, size, duration } of samples) {
      const [start, end] = [Math.max(0, at), Math.min(target.length, at + size)];
      if (start < end) {
        part.copy(target, start, offset + start - at, offset + end - at);
        isAnyInside = true;
      }
      at += duration * channels;
    }
  }
  return isAnyInside;
}
