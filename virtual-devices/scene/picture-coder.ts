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
import { IntraCoder } from './intra-coder.ts';
import type { MacroblockMemo } from './macroblock-memo.ts';
import { MemoCoder } from './memo-coder.ts';
import type { Planes } from './planes.ts';

interface CodedSlice {
  readonly nal: Uint8Array;
  readonly y: Uint8Array;
  readonly u: Uint8Array;
  readonly v: Uint8Array;
}

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
  /** Coders of one thread may share it. */
  readonly memo?: MacroblockMemo;
}

const P_INTRA_OFFSET = 5;

export class PictureCoder {
  readonly sps: Uint8Array;
  readonly pps: Uint8Array;
  readonly mbWidth: number;
  readonly mbHeight: number;
  private readonly coder: IntraCoder;
  private readonly macroblocks: Pick<IntraCoder, 'code'>;
  private readonly writer = new BitWriter();
  private readonly cache = new Map<string, CodedSlice>();
  private readonly cacheLimit: number;
  private frameNumber = 0;

  constructor(options: PictureCoderOptions) {
    const { shape } = options;
    this.sps = sequenceParameterSet(shape);
    this.pps = pictureParameterSet(shape);
    this.coder = new IntraCoder(shape.width, shape.height, shape.qp);
    this.macroblocks = options.memo === undefined ? this.coder : new MemoCoder(this.coder, options.memo, shape.qp);
    this.mbWidth = Math.ceil(shape.width / 16);
    this.mbHeight = Math.ceil(shape.height / 16);
    this.cacheLimit = options.cacheLimit ?? 96;
  }

  /** What a decoder shows after the last access unit. */
  get reconstruction(): Planes {
    return this.coder.reconstruction;
  }

  /** NAL units of an IDR picture, parameter sets first. The slices must cover the picture in order. */
  keyPicture(source: Planes, slices: readonly SlicePlan[]): Uint8Array[] {
    this.frameNumber = 0;
    this.coder.counts.clear();
    const nals = [this.sps, this.pps];
    for (const plan of slices) nals.push(this.keySlice(source, plan));
    return nals;
  }

  /** The one NAL unit of a P picture; `changed` are macroblock addresses in ascending order. */
  changePicture(source: Planes, changed: readonly number[]): Uint8Array[] {
    this.frameNumber = (this.frameNumber + 1) & 0xff;
    if (this.frameNumber === 0) this.frameNumber = 256;
    const { writer } = this;
    writer.reset();
    this.coder.counts.clear();
    writeSliceHeader(writer, 0, this.frameNumber);
    let next = 0;
    for (const address of changed) {
      writer.unsigned(address - next); // mb_skip_run
      this.macroblocks.code(writer, source, address, 0, P_INTRA_OFFSET);
      next = address + 1;
    }
    const left = this.mbWidth * this.mbHeight - next;
    if (left > 0) writer.unsigned(left);
    return [writer.toNal(NAL_SLICE)];
  }

  private keySlice(source: Planes, plan: SlicePlan): Uint8Array {
    const cached = plan.key === undefined ? undefined : this.cache.get(plan.key);
    if (cached !== undefined && plan.key !== undefined) {
      this.cache.delete(plan.key);
      this.cache.set(plan.key, cached);
      this.restore(plan, cached);
      return cached.nal;
    }
    const { writer } = this;
    writer.reset();
    writeSliceHeader(writer, plan.first, 0);
    for (let address = plan.first; address < plan.first + plan.count; address++) {
      this.macroblocks.code(writer, source, address, plan.first, 0);
    }
    const nal = writer.toNal(NAL_IDR);
    if (plan.key !== undefined) this.remember(plan.key, this.snapshot(plan, nal));
    return nal;
  }

  private remember(key: string, slice: CodedSlice): void {
    if (this.cache.size >= this.cacheLimit) {
      const oldest = this.cache.keys().next();
      if (!oldest.done) this.cache.delete(oldest.value);
    }
    this.cache.set(key, slice);
  }

  private snapshot(plan: SlicePlan, nal: Uint8Array): CodedSlice {
    const { y, u, v } = this.reconstruction;
    return {
      nal,
      y: this.gather(y, plan, 16),
      u: this.gather(u, plan, 8),
      v: this.gather(v, plan, 8),
    };
  }

  private restore(plan: SlicePlan, slice: CodedSlice): void {
    const { y, u, v } = this.reconstruction;
    this.scatter(y, plan, 16, slice.y);
    this.scatter(u, plan, 8, slice.u);
    this.scatter(v, plan, 8, slice.v);
  }

  /** Visits the sample rows of a slice: whole picture rows where it spans them, else the part inside its macroblocks. */
  private visit(plan: SlicePlan, size: number, row: (at: number, length: number) => void): void {
    const stride = this.mbWidth * size;
    let address = plan.first;
    const end = plan.first + plan.count;
    while (address < end) {
      const x = address % this.mbWidth;
      const count = Math.min(end - address, this.mbWidth - x);
      const top = ((address - x) / this.mbWidth) * size;
      for (let line = top; line < top + size; line++) row(line * stride + x * size, count * size);
      address += count;
    }
  }

  private gather(plane: Uint8Array, plan: SlicePlan, size: number): Uint8Array {
    const out = new Uint8Array(plan.count * size * size);
    let to = 0;
    this.visit(plan, size, (at, length) => {
      out.set(plane.subarray(at, at + length), to);
      to += length;
    });
    return out;
  }

  private scatter(plane: Uint8Array, plan: SlicePlan, size: number, data: Uint8Array): void {
    let from = 0;
    this.visit(plan, size, (at, length) => {
      plane.set(data.subarray(from, from + length), at);
      from += length;
    });
  }
}
