// Writes everything of a baseline JPEG ahead of its entropy-coded bytes (ITU-T T.81 annex B).
import {
  acChroma,
  acLuma,
  dcChroma,
  dcLuma,
  type HuffmanTable,
  naturalOrder,
  type QuantisationTables,
} from './tables.ts';

export interface JpegHeaderFields {
  readonly width: number;
  readonly height: number;
  /** How much smaller the colour planes are: 4:2:2 halves their width, 4:2:0 their height as well. */
  readonly sampling: '4:2:2' | '4:2:0';
  readonly quantisation: QuantisationTables;
  /** Blocks between restart markers; 0 without any. */
  readonly restartInterval?: number;
}

function segment(marker: number, content: readonly number[]): Buffer {
  const length = content.length + 2;
  return Buffer.from([0xff, marker, length >> 8, length & 255, ...content]);
}

/** Coded with the usual Huffman tables. */
export function writeJpegHeaders(fields: JpegHeaderFields): Buffer {
  const { width, height, sampling, quantisation, restartInterval = 0 } = fields;
  const inZigzag = (table: readonly number[]) => naturalOrder.map((position) => table[position] as number);
  const huffman = (kind: number, table: HuffmanTable) => [kind, ...table.counts, ...table.symbols];
  const lumaFactors = sampling === '4:2:2' ? 0x21 : 0x22;
  return Buffer.concat([
    Buffer.of(0xff, 0xd8),
    segment(0xe0, [...Buffer.from('JFIF\0'), 1, 1, 0, 0, 1, 0, 1, 0, 0]),
    ...(restartInterval > 0 ? [segment(0xdd, [restartInterval >> 8, restartInterval & 255])] : []),
    segment(0xdb, [0, ...inZigzag(quantisation.luma), 1, ...inZigzag(quantisation.chroma)]),
    segment(0xc0, [
      8,
      height >> 8,
      height & 255,
      width >> 8,
      width & 255,
      3,
      1,
      lumaFactors,
      0,
      2,
      0x11,
      1,
      3,
      0x11,
      1,
    ]),
    segment(0xc4, [
      ...huffman(0x00, dcLuma),
      ...huffman(0x10, acLuma),
      ...huffman(0x01, dcChroma),
      ...huffman(0x11, acChroma),
    ]),
    segment(0xda, [3, 1, 0x00, 2, 0x11, 3, 0x11, 0, 63, 0]),
  ]);
}
