// Writes and reads the HEVCDecoderConfigurationRecord (ISO/IEC 14496-15 8.3.3.1); usable in browsers.
import { BitstreamError } from '../bits/bit-reader.ts';
import { H265_NAL } from './nal.ts';
import { parseH265Sps } from './sps.ts';

export interface HvcC {
  readonly vps: readonly Uint8Array[];
  readonly sps: readonly Uint8Array[];
  readonly pps: readonly Uint8Array[];
}

/** The `hvcC` content; the first SPS describes the stream. */
export function writeHvcC(sets: HvcC): Uint8Array {
  const [sps] = sets.sps;
  if (!sps) throw new BitstreamError('SPS missing');
  const info = parseH265Sps(sps);
  const bytes = [1, ...info.profileTierLevel, 0xf0, 0, 0xfc, 0xfc | info.chromaFormat];
  bytes.push(0xf8 | (info.bitDepthLuma - 8), 0xf8 | (info.bitDepthChroma - 8), 0, 0);
  bytes.push((info.temporalLayers << 3) | (info.temporalNesting ? 4 : 0) | 3, 3);
  // 0x80: the array is complete, no such set stands in the samples.
  for (const [type, list] of [
    [H265_NAL.vps, sets.vps],
    [H265_NAL.sps, sets.sps],
    [H265_NAL.pps, sets.pps],
  ] as const) {
    bytes.push(0x80 | type, list.length >> 8, list.length & 0xff);
    for (const set of list) {
      if (set.length > 0xffff) throw new BitstreamError('parameter set too long');
      bytes.push(set.length >> 8, set.length & 0xff, ...set);
    }
  }
  return Uint8Array.from(bytes);
}

export function parseHvcC(record: Uint8Array): HvcC {
  if (record.length < 23 || record[0] !== 1) throw new BitstreamError('not an hvcC record');
  const found = { vps: [] as Uint8Array[], sps: [] as Uint8Array[], pps: [] as Uint8Array[] };
  const lists = new Map<number, Uint8Array[]>([
    [H265_NAL.vps, found.vps],
    [H265_NAL.sps, found.sps],
    [H265_NAL.pps, found.pps],
  ]);
  let at = 23;
  for (let array = 0; array < (record[22] as number); array++) {
    const list = lists.get((record[at] ?? 0) & 0x3f);
    const count = read16(record, at + 1);
    at += 3;
    for (let i = 0; i < count; i++) {
      const length = read16(record, at);
      if (at + 2 + length > record.length) throw new BitstreamError('hvcC ends early');
      list?.push(record.subarray(at + 2, at + 2 + length));
      at += 2 + length;
    }
  }
  return found;
}

function read16(bytes: Uint8Array, at: number): number {
  return ((bytes[at] ?? 0) << 8) | (bytes[at + 1] ?? 0);
}
