// Quantisation and Huffman tables of baseline JPEG, and the headers that carry them (ITU-T T.81 annexes B and K).

export interface HuffmanCode {
  readonly bits: number;
  readonly length: number;
}

export type HuffmanCodes = ReadonlyMap<number, HuffmanCode>;

/** Raster position of each coefficient in zigzag order. */
export const naturalOrder: readonly number[] = zigzagOrder();

function zigzagOrder(): number[] {
  const order: number[] = [];
  for (let sum = 0; sum < 15; sum++) {
    for (let i = 0; i <= sum; i++) {
      const [row, column] = sum % 2 === 0 ? [sum - i, i] : [i, sum - i];
      if (row < 8 && column < 8) order.push(row * 8 + column);
    }
  }
  return order;
}

// Table K.1 and K.2 at quality 80: each entry times 0.4.
const lumaBase = [
  16, 11, 10, 16, 24, 40, 51, 61, 12, 12, 14, 19, 26, 58, 60, 55, 14, 13, 16, 24, 40, 57, 69, 56, 14, 17, 22, 29, 51,
  87, 80, 62, 18, 22, 37, 56, 68, 109, 103, 77, 24, 35, 55, 64, 81, 104, 113, 92, 49, 64, 78, 87, 103, 121, 120, 101,
  72, 92, 95, 98, 112, 100, 103, 99,
];
const chromaBase = [
  17,
  18,
  24,
  47,
  99,
  99,
  99,
  99,
  18,
  21,
  26,
  66,
  99,
  99,
  99,
  99,
  24,
  26,
  56,
  99,
  99,
  99,
  99,
  99,
  47,
  66,
  99,
  99,
  99,
  99,
  99,
  99,
  ...Array.from({ length: 32 }, () => 99),
];
const QUALITY_FACTOR = 0.4;

export const lumaQuantisation: readonly number[] = lumaBase.map((value) =>
  Math.max(1, Math.round(value * QUALITY_FACTOR)),
);
export const chromaQuantisation: readonly number[] = chromaBase.map((value) =>
  Math.max(1, Math.round(value * QUALITY_FACTOR)),
);

interface HuffmanTable {
  /** Number of codes of each length from 1 to 16. */
  readonly counts: readonly number[];
  readonly symbols: readonly number[];
}

const TWELVE = Array.from({ length: 12 }, (_, i) => i);
const dcLuma: HuffmanTable = { counts: [0, 1, 5, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0], symbols: TWELVE };
const dcChroma: HuffmanTable = { counts: [0, 3, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0], symbols: TWELVE };

function bytes(text: string): number[] {
  return [...Buffer.from(text.replaceAll(' ', ''), 'hex')];
}

const acLuma: HuffmanTable = {
  counts: [0, 2, 1, 3, 3, 2, 4, 3, 5, 5, 4, 4, 0, 0, 1, 125],
  symbols: bytes(
    '01020300041105122131410613516107 227114328191a1082342b1c11552d1f0 2433627282090a161718191a25262728 292a3435363738393a43444546474849 ' +
      '4a535455565758595a63646566676869 6a737475767778797a83848586878889 8a92939495969798999aa2a3a4a5a6a7 a8a9aab2b3b4b5b6b7b8b9bac2c3c4c5 ' +
      'c6c7c8c9cad2d3d4d5d6d7d8d9dae1e2 e3e4e5e6e7e8e9eaf1f2f3f4f5f6f7f8 f9fa',
  ),
};
const acChroma: HuffmanTable = {
  counts: [0, 2, 1, 2, 4, 4, 3, 4, 7, 5, 4, 4, 0, 1, 2, 119],
  symbols: bytes(
    '00010203110405213106124151076171 1322328108144291a1b1c109233352f0 156272d10a162434e125f11718191a26 2728292a35363738393a434445464748 ' +
      '494a535455565758595a636465666768 696a737475767778797a828384858687 88898a92939495969798999aa2a3a4a5 a6a7a8a9aab2b3b4b5b6b7b8b9bac2c3 ' +
      'c4c5c6c7c8c9cad2d3d4d5d6d7d8d9da e2e3e4e5e6e7e8e9eaf2f3f4f5f6f7f8 f9fa',
  ),
};

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

function segment(marker: number, content: readonly number[]): Buffer {
  const length = content.length + 2;
  return Buffer.from([0xff, marker, length >> 8, length & 255, ...content]);
}

/** Everything from the start of the image to the first entropy-coded byte. */
export function jpegHeaders(width: number, height: number): Buffer {
  const inZigzag = (table: readonly number[]) => naturalOrder.map((position) => table[position] as number);
  const huffman = (kind: number, table: HuffmanTable) => [kind, ...table.counts, ...table.symbols];
  return Buffer.concat([
    Buffer.of(0xff, 0xd8),
    segment(0xe0, [...Buffer.from('JFIF\0'), 1, 1, 0, 0, 1, 0, 1, 0, 0]),
    segment(0xdb, [0, ...inZigzag(lumaQuantisation), 1, ...inZigzag(chromaQuantisation)]),
    segment(0xc0, [8, height >> 8, height & 255, width >> 8, width & 255, 3, 1, 0x22, 0, 2, 0x11, 1, 3, 0x11, 1]),
    segment(0xc4, [
      ...huffman(0x00, dcLuma),
      ...huffman(0x10, acLuma),
      ...huffman(0x01, dcChroma),
      ...huffman(0x11, acChroma),
    ]),
    segment(0xda, [3, 1, 0x00, 2, 0x11, 3, 0x11, 0, 63, 0]),
  ]);
}
