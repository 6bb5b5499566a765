// Reads the H.264 sequence parameter set: picture size, reorder depth, codec string (ITU-T H.264 7.3.2.1.1, E.1.1).
import { BitReader, BitstreamError, unescapeNal } from '../bits/bit-reader.ts';

export interface H264Sps {
  readonly profile: number;
  readonly constraints: number;
  readonly level: number;
  readonly width: number;
  readonly height: number;
  /** How many pictures may precede another in decoding order and follow it in output order; null when not stated. */
  readonly reorderDepth: number | null;
  readonly chromaFormat: number;
  readonly bitDepthLuma: number;
  readonly bitDepthChroma: number;
}

const HIGH_PROFILES = new Set([100, 110, 122, 244, 44, 83, 86, 118, 128, 138, 139, 134, 135]);
/** Of a picture in pixels: more than any camera has, less than what makes a decoder ask for gigabytes. */
const MAX_SIDE = 16_384;

/** `nal` starts with the NAL header byte. Throws BitstreamError and nothing else. */
export function parseH264Sps(nal: Uint8Array): H264Sps {
  if (nal.length < 4 || nal.length > 4096 || ((nal[0] as number) & 0x1f) !== 7) throw new BitstreamError('not an SPS');
  const reader = new BitReader(unescapeNal(nal));
  reader.skip(8);
  const profile = reader.bits(8);
  const constraints = reader.bits(8);
  const level = reader.bits(8);
  reader.bounded(31, 'seq_parameter_set_id');
  const chroma = HIGH_PROFILES.has(profile) ? readChroma(reader) : { chromaFormat: 1, luma: 8, chroma: 8, arrays: 1 };
  skipOrderCount(reader);
  reader.bounded(16, 'max_num_ref_frames');
  reader.bit();
  const size = readSize(reader, chroma.arrays);
  return {
    profile,
    constraints,
    level,
    ...size,
    reorderDepth: readReorderDepth(reader, profile, constraints),
    chromaFormat: chroma.chromaFormat,
    bitDepthLuma: chroma.luma,
    bitDepthChroma: chroma.chroma,
  };
}

/** RFC 6381 name, from the three bytes after the NAL header. */
export function h264CodecString(spsNal: Uint8Array): string {
  return `avc1.${[...spsNal.subarray(1, 4)].map((byte) => byte.toString(16).padStart(2, '0')).join('')}`;
}

function readChroma(reader: BitReader): { chromaFormat: number; luma: number; chroma: number; arrays: number } {
  const chromaFormat = reader.bounded(3, 'chroma_format_idc');
  const separatePlanes = chromaFormat === 3 && reader.flag();
  const luma = 8 + reader.bounded(6, 'bit_depth_luma');
  const chroma = 8 + reader.bounded(6, 'bit_depth_chroma');
  reader.bit();
  if (reader.flag()) {
    const lists = chromaFormat === 3 ? 12 : 8;
    for (let i = 0; i < lists; i++) if (reader.flag()) skipScalingList(reader, i < 6 ? 16 : 64);
  }
  return { chromaFormat, luma, chroma, arrays: separatePlanes ? 0 : chromaFormat };
}

function skipScalingList(reader: BitReader, size: number): void {
  let last = 8;
  let next = 8;
  for (let i = 0; i < size; i++) {
    if (next !== 0) next = (last + reader.signedGolomb() + 256) % 256;
    if (next !== 0) last = next;
  }
}

function skipOrderCount(reader: BitReader): void {
  reader.bounded(12, 'log2_max_frame_num');
  const type = reader.bounded(2, 'pic_order_cnt_type');
  if (type === 0) reader.bounded(12, 'log2_max_pic_order_cnt_lsb');
  if (type !== 1) return;
  reader.bit();
  reader.signedGolomb();
  reader.signedGolomb();
  const cycle = reader.bounded(255, 'num_ref_frames_in_pic_order_cnt_cycle');
  for (let i = 0; i < cycle; i++) reader.signedGolomb();
}

/** `arrays` is ChromaArrayType; cropping counts in chroma samples (7-19 to 7-22). */
function readSize(reader: BitReader, arrays: number): { width: number; height: number } {
  const widthInMbs = reader.bounded(1023, 'pic_width_in_mbs') + 1;
  const heightInMaps = reader.bounded(1023, 'pic_height_in_map_units') + 1;
  const framesOnly = reader.bit();
  if (framesOnly === 0) reader.bit();
  reader.bit();
  let cropX = 0;
  let cropY = 0;
  if (reader.flag()) {
    const unitX = arrays === 1 || arrays === 2 ? 2 : 1;
    const unitY = (arrays === 1 ? 2 : 1) * (2 - framesOnly);
    cropX = (reader.bounded(65535, 'crop') + reader.bounded(65535, 'crop')) * unitX;
    cropY = (reader.bounded(65535, 'crop') + reader.bounded(65535, 'crop')) * unitY;
  }
  const width = widthInMbs * 16 - cropX;
  const height = heightInMaps * 16 * (2 - framesOnly) - cropY;
  if (width <= 0 || height <= 0) throw new BitstreamError('picture without size');
  if (height > MAX_SIDE) throw new BitstreamError('picture too high');
  return { width, height };
}

/** The size stands before the VUI, so a broken VUI costs only the reorder depth. */
function readReorderDepth(reader: BitReader, profile: number, constraints: number): number | null {
  // Baseline has no B-pictures; constraint_set3 on intra profiles means all pictures are intra.
  const none = profile === 66 || (HIGH_PROFILES.has(profile) && profile !== 118 && (constraints & 0x10) !== 0);
  if (none) return 0;
  try {
    return reader.flag() ? readVui(reader) : null;
  } catch (error) {
    if (error instanceof BitstreamError) return null;
    throw error;
  }
}

function readVui(reader: BitReader): number | null {
  if (reader.flag() && reader.bits(8) === 255) reader.skip(32);
  if (reader.flag()) reader.bit();
  skipVideoSignal(reader);
  if (reader.flag()) {
    reader.bounded(5, 'chroma_sample_loc');
    reader.bounded(5, 'chroma_sample_loc');
  }
  if (reader.flag()) reader.skip(65);
  skipHrds(reader);
  reader.bit();
  if (!reader.flag()) return null;
  reader.bit();
  for (let i = 0; i < 4; i++) reader.bounded(16, 'bitstream_restriction');
  return reader.bounded(16, 'max_num_reorder_frames');
}

function skipVideoSignal(reader: BitReader): void {
  if (!reader.flag()) return;
  reader.skip(4);
  if (reader.flag()) reader.skip(24);
}

function skipHrds(reader: BitReader): void {
  const nalHrd = reader.flag();
  if (nalHrd) skipHrd(reader);
  const vclHrd = reader.flag();
  if (vclHrd) skipHrd(reader);
  if (nalHrd || vclHrd) reader.bit();
}

function skipHrd(reader: BitReader): void {
  const count = reader.bounded(31, 'cpb_cnt') + 1;
  reader.skip(8);
  for (let i = 0; i < count; i++) {
    reader.unsignedGolomb();
    reader.unsignedGolomb();
    reader.bit();
  }
  reader.skip(20);
}
