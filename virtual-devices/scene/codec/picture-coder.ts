// Turns pictures into H.264 access units: an IDR picture of cached slices, P pictures that recode only what changed.

import { BitWriter } from './bit-writer.ts';
import {
  NAL_IDR,
  NAL_SLICE,
  pictureParameterSet,
  sequenceParameterSet,
  type VideoShape,
  writeSliceHeader,
} from './h264-headers.ts';
import { IntraCoder, LEFT_COUNTS, LEFT_SAMPLES, TOP_COUNTS, TOP_SAMPLES } from './intra-coder.ts';
import type { MacroblockMemo } from './macroblock-memo.ts';
import { MemoCoder } from './memo-coder.ts';
import { type Motion, MotionField } from './motion-field.ts';
import type { MacroblockChange } from './picture-changes.ts';
import { MACROBLOCK, type Planes } from './planes.ts';

/** A run of macroblocks coded as one slice; `key` names its content, absent means "never the same twice". */
export interface SlicePlan {
  readonly first: number;
  readonly count: number;
  readonly key?: string | undefined;
}

export interface PictureCoderOptions {
  readonly shape: VideoShape;
  /** Slices kept for reuse; those not used for longest are dropped first. */
  readonly cacheLimit?: number;
  /** Coders of one thread may share it; absent: a new one. */
  readonly intra?: IntraCoder;
  /** Likewise. */
  readonly memo?: MacroblockMemo;
  /** Rows of macroblocks from the top whose content comes again often enough for the memo; absent: all. */
  readonly memoRows?: number;
}

/** Some hundred bytes each. */
const CACHED_SLICES = 512;
const P_INTRA_OFFSET = 5;
/** mb_type of one motion for the whole macroblock. */
const P_16X16 = 0;
/** coded_block_pattern 0 of an inter macroblock: no residual (table 9-4). */
const NO_RESIDUAL = 0;
/** Motion is told in quarters of a pixel. */
const QUARTERS = 4;

export class PictureCoder {
  readonly sps: Uint8Array;
  readonly pps: Uint8Array;
  readonly mbWidth: number;
  readonly mbHeight: number;
  private readonly coder: IntraCoder;
  private readonly memoCoder: MemoCoder | null;
  private readonly memoEnd: number;
  private readonly writer = new BitWriter(4096);
  private readonly motions: MotionField;
  private readonly cache = new Map<string, Uint8Array>();
  private readonly cacheLimit: number;
  private frameNumber = 0;

  constructor(options: PictureCoderOptions) {
    const { shape, intra, memo } = options;
    this.sps = sequenceParameterSet(shape);
    this.pps = pictureParameterSet(shape);
    this.coder = intra ?? new IntraCoder(shape.width, shape.height, shape.qp);
    this.memoCoder = memo === undefined ? null : new MemoCoder(this.coder, memo, shape.qp);
    this.mbWidth = Math.ceil(shape.width / MACROBLOCK);
    this.mbHeight = Math.ceil(shape.height / MACROBLOCK);
    this.memoEnd = (options.memoRows ?? this.mbHeight) * this.mbWidth;
    this.motions = new MotionField(this.mbWidth, this.mbHeight);
    this.cacheLimit = options.cacheLimit ?? CACHED_SLICES;
  }

  /** What a decoder shows of the intra macroblocks coded last; with a memo, what of them their neighbours look at. */
  get reconstruction(): Planes {
    return this.coder.reconstruction;
  }

  /**
   * NAL units of an IDR picture, parameter sets first. The slices must cover the picture in order; `compose` is called before one of
   * them is coded anew, and not for those that come from the cache.
   */
  keyPicture(source: Planes, slices: readonly SlicePlan[], compose?: (plan: SlicePlan) => void): Uint8Array[] {
    this.frameNumber = 0;
    this.coder.counts.clear();
    const nals = [this.sps, this.pps];
    for (const plan of slices) nals.push(this.cached(plan) ?? this.keySlice(source, plan, compose));
    return nals;
  }

  /** The one NAL unit of a P picture; `changes` are in ascending order. */
  changePicture(source: Planes, changes: readonly MacroblockChange[]): Uint8Array[] {
    this.frameNumber = (this.frameNumber + 1) & 0xff;
    if (this.frameNumber === 0) this.frameNumber = 256;
    const { writer } = this;
    writer.reset();
    this.coder.counts.clear();
    this.motions.clear();
    writeSliceHeader(writer, 0, this.frameNumber);
    let next = 0;
    for (const [index, { address, motion }] of changes.entries()) {
      if (motion === null) next = this.writeIntra(source, address, next);
      else next = this.writeMotion(address, motion, next);
      const after = address + 1;
      // One that stands still between others that do not might be taken along.
      if (after % this.mbWidth !== 0 && changes[index + 1]?.address !== after)
        next = this.writeMotion(after, { x: 0, y: 0 }, next);
    }
    const left = this.mbWidth * this.mbHeight - next;
    if (left > 0) writer.unsigned(left);
    return [writer.toNal(NAL_SLICE)];
  }

  /** Answers the first address that is not written yet, as `writeMotion` does. */
  private writeIntra(source: Planes, address: number, next: number): number {
    const { motions, mbWidth } = this;
    this.writer.unsigned(address - next); // mb_skip_run
    const left = address % mbWidth > 0;
    const top = address >= mbWidth;
    const neighbours =
      (left ? LEFT_COUNTS : 0) |
      (top ? TOP_COUNTS : 0) |
      (left && motions.isIntra(address - 1) ? LEFT_SAMPLES : 0) |
      (top && motions.isIntra(address - mbWidth) ? TOP_SAMPLES : 0);
    this.code(source, address, neighbours, P_INTRA_OFFSET);
    motions.setIntra(address);
    return address + 1;
  }

  /** Writes nothing where decoders expect that motion of a skipped macroblock. */
  private writeMotion(address: number, motion: Motion, next: number): number {
    const { motions, writer } = this;
    const skipped = motions.skipped(address);
    const isSkipped = skipped.x === motion.x && skipped.y === motion.y;
    const expected = isSkipped ? skipped : motions.predicted(address);
    motions.setMoved(address, motion);
    if (isSkipped) return next;
    writer.unsigned(address - next); // mb_skip_run
    writer.unsigned(P_16X16);
    writer.signed((expected.x - motion.x) * QUARTERS);
    writer.signed((expected.y - motion.y) * QUARTERS);
    writer.unsigned(NO_RESIDUAL);
    return address + 1;
  }

  private code(source: Planes, address: number, neighbours: number, typeOffset: number): void {
    const coder = this.memoCoder !== null && address < this.memoEnd ? this.memoCoder : this.coder;
    coder.code(this.writer, source, address, neighbours, typeOffset);
  }

  private cached({ key }: SlicePlan): Uint8Array | undefined {
    const nal = key === undefined ? undefined : this.cache.get(key);
    if (nal === undefined || key === undefined) return undefined;
    this.cache.delete(key);
    this.cache.set(key, nal);
    return nal;
  }

  private keySlice(source: Planes, plan: SlicePlan, compose?: (plan: SlicePlan) => void): Uint8Array {
    compose?.(plan);
    const { writer, mbWidth } = this;
    writer.reset();
    writeSliceHeader(writer, plan.first, 0);
    for (let address = plan.first; address < plan.first + plan.count; address++) {
      const hasLeft = address % mbWidth > 0 && address > plan.first;
      const hasTop = address - mbWidth >= plan.first;
      const neighbours = (hasLeft ? LEFT_COUNTS | LEFT_SAMPLES : 0) | (hasTop ? TOP_COUNTS | TOP_SAMPLES : 0);
      this.code(source, address, neighbours, 0);
    }
    const nal = writer.toNal(NAL_IDR);
    if (plan.key !== undefined) this.remember(plan.key, nal);
    return nal;
  }

  private remember(key: string, nal: Uint8Array): void {
    if (this.cache.size >= this.cacheLimit) {
      const oldest = this.cache.keys().next();
      if (!oldest.done) this.cache.delete(oldest.value);
    }
    this.cache.set(key, nal);
  }
}
