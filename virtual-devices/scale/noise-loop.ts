// A loop of coded frames of a given bit rate, reached by noise that must be coded, packetised to RTP once.

import { packetiseH264, type PacketCut } from '@vedette/protocols/rtp/packetise-video.ts';
import type { VideoShape } from '../scene/codec/h264-headers.ts';
import { PictureCoder } from '../scene/codec/picture-coder.ts';
import { createPlanes, type Planes } from '../scene/codec/planes.ts';
import { chance } from '../scene/painting/scene.ts';
import { joinNals } from '../stream/join-nals.ts';

export interface NoiseLoopOptions {
  readonly shape: VideoShape;
  readonly gopSeconds: number;
  readonly gops: number;
  readonly kbps: number;
}

export interface LoopFrame {
  readonly isKey: boolean;
  readonly cuts: readonly PacketCut[];
}

export interface NoiseLoop {
  readonly sps: Uint8Array;
  readonly pps: Uint8Array;
  readonly shape: VideoShape;
  readonly frames: readonly LoopFrame[];
  readonly bytes: number;
}

/** Bytes of a keyframe compared with a picture that follows it, as in real cameras. */
const KEY_WEIGHT = 6;

export function createNoiseLoop(options: NoiseLoopOptions): NoiseLoop {
  const { shape, gopSeconds, gops, kbps } = options;
  const coder = new PictureCoder({ shape });
  const planes = createPlanes(shape.width, shape.height);
  const perGop = gopSeconds * shape.rate;
  const gopBytes = (kbps * 1000 * gopSeconds) / 8;
  const smallBytes = gopBytes / (perGop - 1 + KEY_WEIGHT);
  const budget = new Budget(coder.mbWidth * coder.mbHeight, smallBytes);
  const frames: LoopFrame[] = [];
  let bytes = 0;
  for (let index = 0; index < perGop * gops; index++) {
    const isKey = index % perGop === 0;
    const nals = isKey
      ? keyPicture(coder, planes, index, smallBytes * KEY_WEIGHT)
      : changePicture(coder, planes, index, budget);
    const unit = joinNals(nals);
    bytes += unit.length;
    frames.push({ isKey, cuts: packetiseH264(unit) });
  }
  return { sps: coder.sps, pps: coder.pps, shape, frames, bytes };
}

/** Learns how many macroblocks of noise make the wanted number of bytes. */
class Budget {
  readonly total: number;
  private readonly wanted: number;
  private perMacroblock = 60;
  private owed = 0;

  constructor(total: number, wanted: number) {
    this.total = total;
    this.wanted = wanted;
  }

  count(): number {
    return Math.max(1, Math.min(this.total, Math.round((this.wanted + this.owed) / this.perMacroblock)));
  }

  spent(bytes: number, count: number): void {
    this.perMacroblock = this.perMacroblock * 0.7 + (bytes / count) * 0.3;
    this.owed += this.wanted - bytes;
  }
}

function keyPicture(coder: PictureCoder, planes: Planes, seed: number, wanted: number): Uint8Array[] {
  const rows = Array.from({ length: coder.mbHeight }, (_, row) => ({
    first: row * coder.mbWidth,
    count: coder.mbWidth,
  }));
  const total = coder.mbWidth * coder.mbHeight;
  let count = Math.min(total, Math.round(wanted / 60));
  let nals: Uint8Array[] = [];
  // Three tries come close enough: the pictures that follow even out the rest.
  for (let attempt = 0; attempt < 3; attempt++) {
    planes.y.fill(110);
    for (const address of scattered(total, count, seed)) noise(planes, address, coder.mbWidth, seed + attempt);
    nals = coder.keyPicture(planes, rows);
    const made = nals.reduce((sum, nal) => sum + nal.length, 0);
    count = Math.max(1, Math.min(total, Math.round((count * wanted) / made)));
  }
  return nals;
}

function changePicture(coder: PictureCoder, planes: Planes, seed: number, budget: Budget): Uint8Array[] {
  const changed = scattered(budget.total, budget.count(), seed);
  for (const address of changed) noise(planes, address, coder.mbWidth, seed);
  const nals = coder.changePicture(
    planes,
    changed.map((address) => ({ address, motion: null })),
  );
  budget.spent(
    nals.reduce((sum, nal) => sum + nal.length, 0),
    changed.length,
  );
  return nals;
}

/** `count` different addresses, spread over the picture, in order. */
function scattered(total: number, count: number, seed: number): number[] {
  const stride = total / count;
  const shift = chance(seed, 1) * stride;
  return Array.from({ length: count }, (_, i) => Math.floor((i * stride + shift) % total)).sort((a, b) => a - b);
}

function noise(planes: Planes, address: number, mbWidth: number, seed: number): void {
  const left = (address % mbWidth) * 16;
  const top = Math.floor(address / mbWidth) * 16;
  let state = (seed * 7919 + address * 104_729 + 1) | 0;
  for (let y = top; y < top + 16; y++) {
    for (let at = y * planes.stride + left, end = at + 16; at < end; at++) {
      state = (Math.imul(state, 1664525) + 1013904223) | 0;
      planes.y[at] = 90 + ((state >>> 24) >> 2);
    }
  }
}
