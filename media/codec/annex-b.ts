// Writes access units as an Annex B byte stream for decoders (ITU-T H.264): start codes before NAL units, parameter sets first.
import { parseAvcC } from '@vedette/protocols/h264/avcc.ts';
import { parseHvcC } from '@vedette/protocols/h265/hvcc.ts';
import type { VideoFormat } from '../stream/stream.ts';

const START_CODE = Buffer.from([0, 0, 0, 1]);
/** Access unit delimiters: they tell a parser that the previous unit is complete. */
const DELIMITER = { h264: Buffer.from([0, 0, 0, 1, 0x09, 0xf0]), h265: Buffer.from([0, 0, 0, 1, 0x46, 0x01, 0x50]) };

/** MJPEG needs no decoder of ours. */
export interface CodedFormat {
  readonly codec: Exclude<VideoFormat['codec'], 'mjpeg'>;
  readonly config: Buffer;
}

/** Parameter sets of the format. Throws BitstreamError for an invalid record. */
export function parameterSets({ codec, config }: CodedFormat): Buffer {
  const sets = codec === 'h264' ? avcSets(config) : hevcSets(config);
  return Buffer.concat(sets.flatMap((set) => [START_CODE, set]));
}

function avcSets(config: Uint8Array): Uint8Array[] {
  const { sps, pps } = parseAvcC(config);
  return [...sps, ...pps];
}

function hevcSets(config: Uint8Array): Uint8Array[] {
  const { vps, sps, pps } = parseHvcC(config);
  return [...vps, ...sps, ...pps];
}

/** One access unit of 4-byte length-prefixed NAL units, ended by a delimiter; units with a wrong length are dropped. */
export function writeByteStream(codec: CodedFormat['codec'], unit: Buffer): Buffer {
  const parts: Buffer[] = [];
  for (let at = 0; at + 4 <= unit.length; ) {
    const end = at + 4 + unit.readUInt32BE(at);
    if (end > unit.length) break;
    parts.push(START_CODE, unit.subarray(at + 4, end));
    at = end;
  }
  return Buffer.concat([...parts, DELIMITER[codec]]);
}
