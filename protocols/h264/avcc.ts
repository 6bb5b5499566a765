// Writes and reads the AVCDecoderConfigurationRecord (ISO/IEC 14496-15 5.3.3.1); usable in browsers.
import { BitstreamError } from '../bits/bit-reader.ts';
import { parseH264Sps } from './sps.ts';

const HIGH = new Set([100, 110, 122, 144]);

/** The `avcC` content for one SPS and one or more PPS, each with its NAL header. */
export function writeAvcC(sps: Uint8Array, pps: readonly Uint8Array[]): Uint8Array {
  const info = parseH264Sps(sps);
  if (pps.length === 0 || pps.length > 31) throw new BitstreamError('PPS count out of range');
  const bytes = [1, info.profile, info.constraints, info.level, 0xff, 0xe1, ...sized(sps), pps.length];
  for (const set of pps) bytes.push(...sized(set));
  if (HIGH.has(info.profile)) {
    bytes.push(0xfc | info.chromaFormat, 0xf8 | (info.bitDepthLuma - 8), 0xf8 | (info.bitDepthChroma - 8), 0);
  }
  return Uint8Array.from(bytes);
}

export interface AvcC {
  readonly sps: readonly Uint8Array[];
  readonly pps: readonly Uint8Array[];
  readonly nalLengthSize: number;
}

export function parseAvcC(record: Uint8Array): AvcC {
  if (record.length < 7 || record[0] !== 1) throw new BitstreamError('not an avcC record');
  const nalLengthSize = ((record[4] as number) & 3) + 1;
  const spsList = readSets(record, 6, (record[5] as number) & 0x1f);
  const ppsList = readSets(record, spsList.next + 1, record[spsList.next] ?? 0);
  return { sps: spsList.sets, pps: ppsList.sets, nalLengthSize };
}

function readSets(record: Uint8Array, from: number, count: number): { sets: Uint8Array[]; next: number } {
  const sets: Uint8Array[] = [];
  let at = from;
  for (let i = 0; i < count; i++) {
    const length = ((record[at] ?? 0) << 8) | (record[at + 1] ?? 0);
    if (at + 2 + length > record.length) throw new BitstreamError('avcC ends early');
    sets.push(record.subarray(at + 2, at + 2 + length));
    at += 2 + length;
  }
  return { sets, next: at };
}

function sized(set: Uint8Array): number[] {
  if (set.length > 0xffff) throw new BitstreamError('parameter set too long');
  return [set.length >> 8, set.length & 0xff, ...set];
}
