// Reads the H.265 sequence parameter set: picture size, reorder depth, codec string (ITU-T H.265 7.3.2.2, ISO 14496-15 E.3).
import { BitReader, BitstreamError, unescapeNal } from '../bits/bit-reader.ts';

export interface H265Sps {
  /** The 12 bytes of the general profile, tier and level, as hvcC repeats them. */
  readonly profileTierLevel: Uint8Array;
  readonly temporalLayers: number;
  readonly temporalNesting: boolean;
  readonly chromaFormat: number;
  readonly bitDepthLuma: number;
  readonly bitDepthChroma: number;
  readonly width: number;
  readonly height: number;
  readonly reorderDepth: number;
}

/** `nal` starts with the two NAL header bytes. Throws BitstreamError and nothing else. */
export function parseH265Sps(nal: Uint8Array): H265Sps {
  if (nal.length < 16 || nal.length > 4096 || (((nal[0] as number) >> 1) & 0x3f) !== 33) {
    throw new BitstreamError('not an SPS');
  }
  const bytes = unescapeNal(nal);
  const reader = new BitReader(bytes);
  reader.skip(20);
  const subLayers = reader.bits(3);
  if (subLayers > 6) throw new BitstreamError('sps_max_sub_layers out of range');
  const temporalNesting = reader.flag();
  const profileTierLevel = bytes.slice(3, 15);
  skipProfileTierLevel(reader, subLayers);
  reader.bounded(15, 'sps_id');
  const chromaFormat = reader.bounded(3, 'chroma_format_idc');
  if (chromaFormat === 3) reader.bit();
  const size = readSize(reader, chromaFormat);
  const bitDepthLuma = 8 + reader.bounded(8, 'bit_depth_luma');
  const bitDepthChroma = 8 + reader.bounded(8, 'bit_depth_chroma');
  reader.bounded(12, 'log2_max_pic_order_cnt_lsb');
  const reorderDepth = readReorderDepth(reader, subLayers);
  return {
    profileTierLevel,
    temporalLayers: subLayers + 1,
    temporalNesting,
    chromaFormat,
    bitDepthLuma,
    bitDepthChroma,
    ...size,
    reorderDepth,
  };
}

export function h265CodecString(sps: H265Sps): string {
  const ptl = sps.profileTierLevel;
  const first = ptl[0] as number;
  const space = ['', 'A', 'B', 'C'][first >> 6] as string;
  let compatibility = 0;
  for (let bit = 0; bit < 32; bit++) {
    const set = ((ptl[1 + (bit >> 3)] as number) >> (7 - (bit & 7))) & 1;
    compatibility += set * 2 ** bit;
  }
  const constraints = [...ptl.subarray(5, 11)];
  while (constraints.length > 0 && constraints.at(-1) === 0) constraints.pop();
  const tier = (first & 0x20) !== 0 ? 'H' : 'L';
  const parts = [`${space}${first & 31}`, compatibility.toString(16).toUpperCase(), `${tier}${ptl[11]}`];
  for (const byte of constraints) parts.push(byte.toString(16).toUpperCase());
  return `hvc1.${parts.join('.')}`;
}

function skipProfileTierLevel(reader: BitReader, subLayers: number): void {
  reader.skip(96);
  const present: [boolean, boolean][] = [];
  for (let i = 0; i < subLayers; i++) present.push([reader.flag(), reader.flag()]);
  if (subLayers > 0) reader.skip(2 * (8 - subLayers));
  for (const [profile, level] of present) reader.skip((profile ? 88 : 0) + (level ? 8 : 0));
}

function readSize(reader: BitReader, chromaFormat: number): { width: number; height: number } {
  let width = reader.bounded(16_384, 'width');
  let height = reader.bounded(16_384, 'height');
  if (reader.flag()) {
    const unitX = chromaFormat === 1 || chromaFormat === 2 ? 2 : 1;
    const unitY = chromaFormat === 1 ? 2 : 1;
    width -= unitX * (reader.bounded(16_384, 'crop') + reader.bounded(16_384, 'crop'));
    height -= unitY * (reader.bounded(16_384, 'crop') + reader.bounded(16_384, 'crop'));
  }
  if (width <= 0 || height <= 0) throw new BitstreamError('picture without size');
  return { width, height };
}

function readReorderDepth(reader: BitReader, subLayers: number): number {
  const from = reader.flag() ? 0 : subLayers;
  let depth = 0;
  for (let i = from; i <= subLayers; i++) {
    reader.bounded(16, 'max_dec_pic_buffering');
    depth = reader.bounded(16, 'max_num_reorder_pics');
    reader.unsignedGolomb();
  }
  return depth;
}
