// Codes pictures as H.265 without compression (ITU-T H.265 7.3.8.7, pcm_sample): any decoder takes it, and no search for modes is needed.

import { BitWriter } from './bit-writer.ts';
import type { VideoShape } from './h264-headers.ts';
import { MACROBLOCK, type Planes } from './planes.ts';

const MAIN = 1;
const LEVEL_3 = 90;
const VPS = [0x40, 1] as const;
const SPS = [0x42, 1] as const;
const PPS = [0x44, 1] as const;
/** IDR_W_RADL, and a trailing picture that others may refer to. */
const KEY = [0x26, 1] as const;
const TRAILING = [0x02, 1] as const;
const POC_BITS = 8;

/** rangeTabLps (9-52) where the range is above 447, by state. */
const LEAST_PROBABLE = [
  240, 227, 216, 205, 195, 185, 175, 166, 158, 150, 142, 135, 128, 122, 116, 110, 104, 99, 94, 89, 85, 80, 76, 72, 69,
  65, 62, 59, 56, 53, 50, 48, 45, 43, 41, 39, 37, 35, 33, 31, 30, 28, 27, 25, 24, 23, 22, 21, 20, 19, 18, 17, 16, 15,
  14, 14, 13, 12, 12, 11, 11, 10, 9,
] as const;
const FULL_RANGE = 510;
const LAST_STATE = 62;

export class H265Coder {
  readonly vps: Uint8Array;
  readonly sps: Uint8Array;
  readonly pps: Uint8Array;
  readonly #shape: VideoShape;
  readonly #writer = new BitWriter();
  #order = 0;

  constructor(shape: VideoShape) {
    this.#shape = shape;
    this.vps = videoParameterSet();
    this.sps = sequenceParameterSet(shape);
    this.pps = pictureParameterSet();
  }

  /** NAL units of one picture, parameter sets ahead of a keyframe. */
  picture(source: Planes, isKey: boolean): Uint8Array[] {
    this.#order = isKey ? 0 : (this.#order + 1) & ((1 << POC_BITS) - 1);
    const writer = this.#writer;
    writer.reset();
    writeSliceHeader(writer, isKey ? null : this.#order);
    this.#writeBlocks(source);
    // The last bit of the arithmetic code is the stop bit.
    const nal = writer.wrap(isKey ? KEY : TRAILING);
    return isKey ? [this.vps, this.sps, this.pps, nal] : [nal];
  }

  #writeBlocks(source: Planes): void {
    const [wide, high] = [this.#shape.width, this.#shape.height].map((side) => Math.ceil(side / MACROBLOCK));
    const writer = this.#writer;
    const count = (wide as number) * (high as number);
    // part_mode begins with state 0, most probable 1 (9.3.2.2, initValue 184 at QP 26); it is 1 every time.
    let range = FULL_RANGE;
    for (let block = 0; block < count; block++) {
      range -= LEAST_PROBABLE[Math.min(block, LAST_STATE)] as number;
      endCode(writer, range);
      const [x, y] = [block % (wide as number), Math.floor(block / (wide as number))];
      writeSamples(writer, source.y, source.stride, x * MACROBLOCK, y * MACROBLOCK, MACROBLOCK);
      for (const plane of [source.u, source.v])
        writeSamples(writer, plane, source.stride / 2, (x * MACROBLOCK) / 2, (y * MACROBLOCK) / 2, MACROBLOCK / 2);
      // end_of_slice_segment_flag: 0 takes 2 off the range that begins anew behind samples.
      range = FULL_RANGE - 2;
    }
    endCode(writer, FULL_RANGE);
  }
}

/** A terminating bin of 1 with nothing pending, then zeros up to a whole byte (9.3.4.5, EncodeFlush). */
function endCode(writer: BitWriter, range: number): void {
  let low = range - 2;
  let outstanding = 0;
  let isFirst = true;
  const put = (bit: number): void => {
    if (!isFirst) writer.bits(bit, 1);
    isFirst = false;
    for (; outstanding > 0; outstanding--) writer.bits(1 - bit, 1);
  };
  for (let i = 0; i < 7; i++) {
    if (low < 256) put(0);
    else if (low >= 512) {
      low -= 512;
      put(1);
    } else {
      low -= 256;
      outstanding += 1;
    }
    low <<= 1;
  }
  put((low >> 9) & 1);
  writer.bits(((low >> 7) & 3) | 1, 2);
  writer.aligned();
}

function writeSamples(writer: BitWriter, plane: Uint8Array, stride: number, x: number, y: number, side: number): void {
  for (let row = y; row < y + side; row++)
    for (let at = row * stride + x, end = at + side; at < end; at++) writer.bits(plane[at] as number, 8);
}

function writeProfile(writer: BitWriter): void {
  writer.bits(MAIN, 8); // general_profile_space, general_tier_flag, general_profile_idc
  writer.word(0x60000000); // compatible with Main and Main 10
  writer.bits(0b1001, 4); // progressive, not interlaced, may be packed, frames only
  writer.bits(0, 22);
  writer.bits(0, 22); // general_reserved_zero_44bits
  writer.bits(LEVEL_3, 8);
}

/** No reordering, one picture in the buffer. */
function writeOrdering(writer: BitWriter): void {
  writer.bits(1, 1); // sub_layer_ordering_info_present_flag
  for (let i = 0; i < 3; i++) writer.unsigned(0);
}

function videoParameterSet(): Uint8Array {
  const writer = new BitWriter(64);
  writer.bits(0b0000_11, 6); // id, base layer internal and available
  writer.bits(0, 9); // vps_max_layers_minus1, vps_max_sub_layers_minus1
  writer.bits(1, 1); // vps_temporal_id_nesting_flag
  writer.bits(0xffff, 16);
  writeProfile(writer);
  writeOrdering(writer);
  writer.bits(0, 6); // vps_max_layer_id
  writer.unsigned(0); // vps_num_layer_sets_minus1
  writer.bits(0, 2); // no timing, no extension
  return writer.toNal(...VPS);
}

function sequenceParameterSet({ width, height }: VideoShape): Uint8Array {
  const writer = new BitWriter(64);
  const [wide, high] = [Math.ceil(width / MACROBLOCK) * MACROBLOCK, Math.ceil(height / MACROBLOCK) * MACROBLOCK];
  writer.bits(0, 7); // sps_video_parameter_set_id, sps_max_sub_layers_minus1
  writer.bits(1, 1); // sps_temporal_id_nesting_flag
  writeProfile(writer);
  writer.unsigned(0);
  writer.unsigned(1); // chroma_format_idc: 4:2:0
  writer.unsigned(wide);
  writer.unsigned(high);
  writer.bits(1, 1); // conformance_window_flag
  for (const offset of [0, (wide - width) / 2, 0, (high - height) / 2]) writer.unsigned(offset);
  writer.unsigned(0);
  writer.unsigned(0); // 8 bits of luma and chroma
  writer.unsigned(POC_BITS - 4);
  writeOrdering(writer);
  writer.unsigned(1); // coding blocks of 16,
  writer.unsigned(0); // and no others
  writer.unsigned(0); // transform blocks of 4
  writer.unsigned(2); // to 16
  writer.unsigned(0);
  writer.unsigned(0); // max_transform_hierarchy_depth_inter, _intra
  writer.bits(0b000, 3); // no scaling lists, asymmetric partitions, sample adaptive offset
  writer.bits(1, 1); // pcm_enabled_flag
  writer.bits(0x77, 8); // of 8 bits
  writer.unsigned(1); // in blocks of 16,
  writer.unsigned(0); // and no others
  writer.bits(1, 1); // pcm_loop_filter_disabled_flag
  writer.unsigned(0); // num_short_term_ref_pic_sets
  writer.bits(0, 5); // long-term pictures, motion vectors of others, smoothing, VUI, extension
  return writer.toNal(...SPS);
}

function pictureParameterSet(): Uint8Array {
  const writer = new BitWriter(64);
  writer.unsigned(0);
  writer.unsigned(0); // ids
  writer.bits(0, 7); // dependent slices, output flag, extra header bits (3), sign hiding, cabac_init
  writer.unsigned(0);
  writer.unsigned(0); // num_ref_idx_default_active_minus1
  writer.signed(0); // init_qp_minus26
  writer.bits(0, 3); // constrained intra, transform skip, QP deltas
  writer.signed(0);
  writer.signed(0); // chroma QP offsets
  writer.bits(0, 7); // chroma offsets in slices, weighted (2), bypass, tiles, wavefronts, filter across slices
  writer.bits(0b1_01, 3); // deblocking control: no override, disabled
  writer.bits(0, 2); // scaling lists, list modification
  writer.unsigned(0); // log2_parallel_merge_level_minus2
  writer.bits(0, 2); // slice header extension, extension
  return writer.toNal(...PPS);
}

/** `order` is null for a keyframe. */
function writeSliceHeader(writer: BitWriter, order: number | null): void {
  writer.bits(1, 1); // first_slice_segment_in_pic_flag
  if (order === null) writer.bits(0, 1); // no_output_of_prior_pics_flag
  writer.unsigned(0);
  writer.unsigned(2); // I slice
  if (order !== null) {
    writer.bits(order, POC_BITS);
    writer.bits(0, 1); // a reference picture set of its own,
    writer.unsigned(0);
    writer.unsigned(0); // which is empty
  }
  writer.signed(0); // slice_qp_delta
  writer.bits(1, 1);
  writer.aligned();
}
