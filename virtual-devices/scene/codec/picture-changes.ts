// Finds the macroblocks in which a picture differs from the one before, and those that only moved.

import type { Motion } from './motion-field.ts';
import { MACROBLOCK, type Planes, type PlaneWords } from './planes.ts';
import type { Rectangle } from './planes.ts';

export interface MacroblockChange {
  readonly address: number;
  /** Its samples stood elsewhere in the picture before; null: they are new. */
  readonly motion: Motion | null;
}

/** `areas` are of whole macroblocks and do not overlap; outside them neither picture is looked at. In ascending order of addresses. */
export function findChanges(
  before: Planes,
  now: Planes,
  areas: readonly Rectangle[],
  motions: readonly Motion[],
): MacroblockChange[] {
  const mbWidth = now.stride / MACROBLOCK;
  const found: MacroblockChange[] = [];
  for (const area of areas) {
    eachMacroblock(area, (x, y) => {
      if (isUnchanged(before.words, now.words, now.stride >> 2, x >> 2, y)) return;
      const motion = motions.find((one) => isWithin(areas, x - one.x, y - one.y) && isMoved(before, now, x, y, one));
      found.push({ address: (y / MACROBLOCK) * mbWidth + x / MACROBLOCK, motion: motion ?? null });
    });
  }
  return found.sort((a, b) => a.address - b.address);
}

/** With the top left corner of each, row by row. */
function eachMacroblock(area: Rectangle, look: (x: number, y: number) => void): void {
  for (let y = area.y; y < area.y + area.height; y += MACROBLOCK)
    for (let x = area.x; x < area.x + area.width; x += MACROBLOCK) look(x, y);
}

/** Whether a macroblock whose top left corner is there lies in one of them. */
function isWithin(areas: readonly Rectangle[], x: number, y: number): boolean {
  return areas.some(
    (area) =>
      x >= area.x && y >= area.y && x + MACROBLOCK <= area.x + area.width && y + MACROBLOCK <= area.y + area.height,
  );
}

function isUnchanged(before: PlaneWords, now: PlaneWords, stride: number, x: number, y: number): boolean {
  const chroma = (y >> 1) * (stride >> 1) + (x >> 1);
  return (
    isSameBlock(before.y, now.y, y * stride + x, 0, stride, 4, MACROBLOCK) &&
    isSameBlock(before.u, now.u, chroma, 0, stride >> 1, 2, MACROBLOCK / 2) &&
    isSameBlock(before.v, now.v, chroma, 0, stride >> 1, 2, MACROBLOCK / 2)
  );
}

function isMoved(before: Planes, now: Planes, x: number, y: number, motion: Motion): boolean {
  const { stride } = now;
  const half = stride >> 1;
  const chroma = (y >> 1) * half + (x >> 1);
  const chromaShift = (motion.y / 2) * half + motion.x / 2;
  return (
    isSameBlock(before.y, now.y, y * stride + x, motion.y * stride + motion.x, stride, MACROBLOCK, MACROBLOCK) &&
    isSameBlock(before.u, now.u, chroma, chromaShift, half, MACROBLOCK / 2, MACROBLOCK / 2) &&
    isSameBlock(before.v, now.v, chroma, chromaShift, half, MACROBLOCK / 2, MACROBLOCK / 2)
  );
}

function isSameBlock(
  before: Uint8Array | Uint32Array,
  now: Uint8Array | Uint32Array,
  at: number,
  shift: number,
  stride: number,
  width: number,
  rows: number,
): boolean {
  for (let row = 0, from = at; row < rows; row++, from += stride) {
    for (let i = from; i < from + width; i++) if (now[i] !== before[i - shift]) return false;
  }
  return true;
}
