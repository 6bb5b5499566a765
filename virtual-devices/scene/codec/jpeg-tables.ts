// How the snapshots of virtual cameras are coded: the usual tables at one quality, as code words (ITU-T T.81 annexes C and K).
import { writeJpegHeaders } from '@vedette/protocols/jpeg/headers.ts';
import {
  acChroma,
  acLuma,
  dcChroma,
  dcLuma,
  type HuffmanTable,
  quantisationOf,
} from '@vedette/protocols/jpeg/tables.ts';

export interface HuffmanCode {
  readonly bits: number;
  readonly length: number;
}

export type HuffmanCodes = ReadonlyMap<number, HuffmanCode>;

const QUALITY = 80;

export const quantisation = quantisationOf(QUALITY);

/** Codes are assigned in order of length (annex C). */
function assign(table: HuffmanTable): HuffmanCodes {
  const codes = new Map<number, HuffmanCode>();
  let bits = 0;
  let next = 0;
  for (const [index, count] of table.counts.entries()) {
    for (let i = 0; i < count; i++) codes.set(table.symbols[next++] as number, { bits: bits++, length: index + 1 });
    bits <<= 1;
  }
  return codes;
}

export const dcCodes = { luma: assign(dcLuma), chroma: assign(dcChroma) };
export const acCodes = { luma: assign(acLuma), chroma: assign(acChroma) };

/** Everything from the start of the image to the first entropy-coded byte. */
export function jpegHeaders(width: number, height: number): Buffer {
  return writeJpegHeaders({ width, height, sampling: '4:2:0', quantisation });
}
