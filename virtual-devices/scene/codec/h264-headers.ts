// Parameter sets and slice headers of the virtual cameras' H.264 (ITU-T H.264 clauses 7.3.2.1, 7.3.2.2, 7.3.3, annex E).

import { BitWriter } from './bit-writer.ts';

export interface VideoShape {
  readonly width: number;
  readonly height: number;
  /** Pictures per second. */
  readonly rate: number;
  readonly qp: number;
}

const CONSTRAINED_BASELINE = 66;
/** constraint_set0_flag and constraint_set1_flag. */
const CONSTRAINTS = 0xc0;
/** frame_num is written in 4 + this many bits; groups of pictures stay far below 2^8. */
const FRAME_NUMBER_BITS = 8;

export const NAL_SLICE = 0x61;
export const NAL_IDR = 0x65;
const NAL_SPS = 0x67;
const NAL_PPS = 0x68;

function levelOf(shape: VideoShape): number {
  const perSecond = Math.ceil(shape.width / 16) * Math.ceil(shape.height / 16) * shape.rate;
  if (perSecond <= 11_880) return 20;
  if (perSecond <= 40_500) return 30;
  return perSecond <= 108_000 ? 31 : 40;
}

export function sequenceParameterSet(shape: VideoShape): Uint8Array {
  const writer = new BitWriter(64);
  const mbWidth = Math.ceil(shape.width / 16);
  const mbHeight = Math.ceil(shape.height / 16);
  writer.bits(CONSTRAINED_BASELINE, 8);
  writer.bits(CONSTRAINTS, 8);
  writer.bits(levelOf(shape), 8);
  writer.unsigned(0); // seq_parameter_set_id
  writer.unsigned(FRAME_NUMBER_BITS - 4);
  writer.unsigned(2); // pic_order_cnt_type: output order is decoding order
  writer.unsigned(1); // max_num_ref_frames
  writer.bits(0, 1); // gaps_in_frame_num_value_allowed_flag
  writer.unsigned(mbWidth - 1);
  writer.unsigned(mbHeight - 1);
  writer.bits(0b11, 2); // frame_mbs_only_flag, direct_8x8_inference_flag
  const right = (mbWidth * 16 - shape.width) / 2;
  const bottom = (mbHeight * 16 - shape.height) / 2;
  const cropped = right > 0 || bottom > 0;
  writer.bits(cropped ? 1 : 0, 1);
  if (cropped) for (const offset of [0, right, 0, bottom]) writer.unsigned(offset);
  writer.bits(1, 1); // vui_parameters_present_flag
  writeVui(writer, shape.rate);
  return writer.toNal(NAL_SPS);
}

function writeVui(writer: BitWriter, rate: number): void {
  writer.bits(0b00, 2); // aspect_ratio_info_present_flag, overscan_info_present_flag
  writer.bits(1, 1); // video_signal_type_present_flag
  writer.bits(5, 3); // video_format unspecified
  writer.bits(0, 1); // video_full_range_flag
  writer.bits(1, 1); // colour_description_present_flag: BT.709 three times
  for (let i = 0; i < 3; i++) writer.bits(1, 8);
  writer.bits(0, 1); // chroma_loc_info_present_flag
  writer.bits(1, 1); // timing_info_present_flag: two ticks per frame
  writer.word(1);
  writer.word(rate * 2);
  writer.bits(1, 1); // fixed_frame_rate_flag
  writer.bits(0b000, 3); // no HRD, no pic_struct
  writer.bits(1, 1); // bitstream_restriction_flag
  writer.bits(1, 1); // motion_vectors_over_pic_boundaries_flag
  writer.unsigned(0);
  writer.unsigned(0);
  writer.unsigned(10);
  writer.unsigned(10);
  writer.unsigned(0); // max_num_reorder_frames: a decoder may show each picture at once
  writer.unsigned(1); // max_dec_frame_buffering
}

export function pictureParameterSet(shape: VideoShape): Uint8Array {
  const writer = new BitWriter(64);
  writer.unsigned(0); // pic_parameter_set_id
  writer.unsigned(0); // seq_parameter_set_id
  writer.bits(0b00, 2); // CAVLC, no bottom_field_pic_order
  writer.unsigned(0); // num_slice_groups_minus1
  writer.unsigned(0);
  writer.unsigned(0);
  writer.bits(0b000, 3); // no weighted prediction
  writer.signed(shape.qp - 26);
  writer.signed(0);
  writer.signed(0); // chroma_qp_index_offset
  // deblocking_filter_control_present_flag, constrained_intra_pred_flag, no redundant pictures. Intra macroblocks of a P picture look at
  // no inter neighbour: the coder need not know what a decoder shows beside them.
  writer.bits(0b110, 3);
  return writer.toNal(NAL_PPS);
}

const SLICE_P = 5;
const SLICE_I = 7;

/** `frameNumber` 0 starts an IDR picture. Equal headers of two IDR pictures are legal because P pictures lie between them. */
export function writeSliceHeader(writer: BitWriter, firstMacroblock: number, frameNumber: number): void {
  const idr = frameNumber === 0;
  writer.unsigned(firstMacroblock);
  writer.unsigned(idr ? SLICE_I : SLICE_P);
  writer.unsigned(0); // pic_parameter_set_id
  writer.bits(frameNumber & 0xff, FRAME_NUMBER_BITS);
  if (idr) {
    writer.unsigned(0); // idr_pic_id
  } else {
    writer.bits(0, 1); // num_ref_idx_active_override_flag
    writer.bits(0, 1); // ref_pic_list_modification_flag_l0
  }
  if (idr)
    writer.bits(0b00, 2); // no_output_of_prior_pics_flag, long_term_reference_flag
  else writer.bits(0, 1); // adaptive_ref_pic_marking_mode_flag
  writer.signed(0); // slice_qp_delta
  writer.unsigned(1); // disable_deblocking_filter_idc
}
