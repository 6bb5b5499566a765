// Collects parameter sets, from the description or the stream, and derives the video format.
import { BitReader, BitstreamError, unescapeNal } from '@vedette/protocols/bits/bit-reader.ts';
import { writeAvcC } from '@vedette/protocols/h264/avcc.ts';
import { H264_NAL, h264NalType, trimNal } from '@vedette/protocols/h264/nal.ts';
import { h264CodecString, parseH264Sps } from '@vedette/protocols/h264/sps.ts';
import { writeHvcC } from '@vedette/protocols/h265/hvcc.ts';
import { H265_NAL, h265NalType } from '@vedette/protocols/h265/nal.ts';
import { h265CodecString, parseH265Sps } from '@vedette/protocols/h265/sps.ts';
import type { VideoFormat } from '../stream/stream.ts';
import type { FormatTracker } from './format-tracker.ts';

const MAX_SET_BYTES = 4096;
const MAX_PPS = 16;

export class VideoFormatTracker implements FormatTracker {
  readonly #codec: 'h264' | 'h265';
  #vps: Uint8Array | null = null;
  #sps: Uint8Array | null = null;
  readonly #pps = new Map<number, Uint8Array>();
  #changed = false;
  #format: VideoFormat | null = null;
  #reorderDepth: number | null = null;
  /** Invalid parameter sets. */
  refused = 0;

  constructor(codec: 'h264' | 'h265') {
    this.#codec = codec;
  }

  /** Null if not stated in the stream. */
  get reorderDepth(): number | null {
    return this.#reorderDepth;
  }

  /** Adds a set; the bytes are copied. Known sets cost a comparison. */
  add(set: Uint8Array): void {
    const nal = trimNal(set);
    if (nal.length < 3 || nal.length > MAX_SET_BYTES) {
      this.refused += 1;
      return;
    }
    try {
      if (this.#codec === 'h264') this.#addH264(nal);
      else this.#addH265(nal);
    } catch (error) {
      if (!(error instanceof BitstreamError)) throw error;
      this.refused += 1;
    }
  }

  see(): void {
    // Parameter sets are enough.
  }

  /** Current format, or null while a set is missing; the same object while unchanged. */
  format(): VideoFormat | null {
    if (!this.#changed) return this.#format;
    this.#changed = false;
    try {
      const made = this.#codec === 'h264' ? this.#makeH264() : this.#makeH265();
      if (made && !(this.#format && this.#format.config.equals(made.config))) this.#format = made;
    } catch (error) {
      if (!(error instanceof BitstreamError)) throw error;
      this.refused += 1;
    }
    return this.#format;
  }

  #addH264(nal: Uint8Array): void {
    const type = h264NalType(nal[0] as number);
    if (type === H264_NAL.sps) this.#addSps(nal, () => parseH264Sps(nal));
    else if (type === H264_NAL.pps)
      this.#addPps(new BitReader(unescapeNal(nal.subarray(1, 9))).bounded(255, 'pps id'), nal);
  }

  #addH265(nal: Uint8Array): void {
    const type = h265NalType(nal[0] as number);
    if (type === H265_NAL.sps) this.#addSps(nal, () => parseH265Sps(nal));
    else if (type === H265_NAL.pps)
      this.#addPps(new BitReader(unescapeNal(nal.subarray(2, 10))).bounded(63, 'pps id'), nal);
    else if (type === H265_NAL.vps && !same(this.#vps, nal)) {
      this.#vps = copy(nal);
      this.#changed = true;
    }
  }

  #addSps(nal: Uint8Array, check: () => { reorderDepth: number | null }): void {
    if (same(this.#sps, nal)) return;
    this.#reorderDepth = check().reorderDepth;
    this.#sps = copy(nal);
    this.#changed = true;
  }

  #addPps(id: number, nal: Uint8Array): void {
    if (same(this.#pps.get(id) ?? null, nal) || (this.#pps.size >= MAX_PPS && !this.#pps.has(id))) return;
    this.#pps.set(id, copy(nal));
    this.#changed = true;
  }

  #makeH264(): VideoFormat | null {
    if (!this.#sps || this.#pps.size === 0) return null;
    const { width, height } = parseH264Sps(this.#sps);
    const config = Buffer.from(writeAvcC(this.#sps, [...this.#pps.values()]));
    return { codec: 'h264', codecString: h264CodecString(this.#sps), width, height, config };
  }

  #makeH265(): VideoFormat | null {
    if (!this.#vps || !this.#sps || this.#pps.size === 0) return null;
    const sps = parseH265Sps(this.#sps);
    const config = Buffer.from(writeHvcC({ vps: [this.#vps], sps: [this.#sps], pps: [...this.#pps.values()] }));
    return { codec: 'h265', codecString: h265CodecString(sps), width: sps.width, height: sps.height, config };
  }
}

function copy(bytes: Uint8Array): Uint8Array {
  return Uint8Array.from(bytes);
}

function same(known: Uint8Array | null, nal: Uint8Array): boolean {
  return known !== null && known.length === nal.length && Buffer.compare(known, nal) === 0;
}
