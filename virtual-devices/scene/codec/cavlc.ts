// Writes one residual block in CAVLC (ITU-T H.264 clause 9.2, encoder side).

import type { BitWriter } from './bit-writer.ts';
import { type Code, coeffToken, runBefore, totalZeros, totalZerosChromaDc } from './cavlc-tables.ts';

/** Chroma DC has a coeff_token table of its own; the standard calls it nC = -1. */
export const CHROMA_DC = -1;

const levels = new Int32Array(16);
const runs = new Int32Array(16);

function put(writer: BitWriter, code: Code): void {
  writer.bits(code & 0xffff, code >>> 16);
}

function tokenTable(nC: number): number {
  if (nC < 0) return 4;
  if (nC < 2) return 0;
  if (nC < 4) return 1;
  return nC < 8 ? 2 : 3;
}

/**
 * `block[from] … block[from + size - 1]` are the levels in scan order.
 * Returns the number of coefficients that are not zero: the neighbour context of later blocks.
 */
export function writeResidual(writer: BitWriter, block: Int32Array, from: number, size: number, nC: number): number {
  const total = scan(block, from, size);
  const ones = trailingOnes(total);
  put(writer, coeffToken[tokenTable(nC)]?.[ones]?.[total] as Code);
  if (total === 0) return 0;
  for (let i = 0; i < ones; i++) writer.bits((levels[total - 1 - i] as number) < 0 ? 1 : 0, 1);
  writeLevels(writer, total, ones);
  let zeros = 0;
  for (let i = 0; i < total; i++) zeros += runs[i] as number;
  if (total < size) {
    const table = nC === CHROMA_DC ? totalZerosChromaDc : totalZeros;
    put(writer, table[total]?.[zeros] as Code);
  }
  writeRuns(writer, total, zeros);
  return total;
}

/** Leaves in `levels` what is not zero, and in `runs` the zeros before each. Returns how many there are. */
function scan(block: Int32Array, from: number, size: number): number {
  let total = 0;
  let run = 0;
  for (let i = 0; i < size; i++) {
    const level = block[from + i] as number;
    if (level === 0) {
      run++;
      continue;
    }
    levels[total] = level;
    runs[total++] = run;
    run = 0;
  }
  return total;
}

function writeRuns(writer: BitWriter, total: number, zeros: number): void {
  let left = zeros;
  for (let i = total - 1; i > 0 && left > 0; i--) {
    put(writer, runBefore[left > 6 ? 7 : left]?.[runs[i] as number] as Code);
    left -= runs[i] as number;
  }
}

function trailingOnes(total: number): number {
  let ones = 0;
  while (ones < 3 && ones < total && Math.abs(levels[total - 1 - ones] as number) === 1) ones++;
  return ones;
}

function writeLevels(writer: BitWriter, total: number, ones: number): void {
  let suffixLength = total > 10 && ones < 3 ? 1 : 0;
  for (let i = total - 1 - ones; i >= 0; i--) {
    const level = levels[i] as number;
    const size = Math.abs(level);
    let code = size * 2 - 2 + (level < 0 ? 1 : 0);
    // Fewer than three trailing ones: the first level left cannot be ±1, so its code starts one magnitude later.
    if (i === total - 1 - ones && ones < 3) code -= 2;
    writeLevel(writer, code, suffixLength);
    if (suffixLength === 0) suffixLength = 1;
    if (size > 3 << (suffixLength - 1) && suffixLength < 6) suffixLength++;
  }
}

function writeLevel(writer: BitWriter, code: number, suffixLength: number): void {
  if (suffixLength === 0) {
    if (code < 14) writer.bits(1, code + 1);
    else if (code < 30) {
      writer.bits(1, 15);
      writer.bits(code - 14, 4);
    } else {
      writer.bits(1, 16);
      writer.bits(code - 30, 12);
    }
    return;
  }
  const escape = 15 << suffixLength;
  if (code < escape) {
    writer.bits(1, (code >> suffixLength) + 1);
    writer.bits(code & ((1 << suffixLength) - 1), suffixLength);
  } else {
    writer.bits(1, 16);
    writer.bits(code - escape, 12);
  }
}
