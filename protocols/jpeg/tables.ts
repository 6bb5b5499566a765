// The tables that baseline JPEG is coded with: quantisation by quality, Huffman, zigzag order (ITU-T T.81 annexes C and K).

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

// Tables K.1 and K.2 in raster order.
const lumaBase = [
  16, 11, 10, 16, 24, 40, 51, 61, 12, 12, 14, 19, 26, 58, 60, 55, 14, 13, 16, 24, 40, 57, 69, 56, 14, 17, 22, 29, 51,
  87, 80, 62, 18, 22, 37, 56, 68, 109, 103, 77, 24, 35, 55, 64, 81, 104, 113, 92, 49, 64, 78, 87, 103, 121, 120, 101,
  72, 92, 95, 98, 112, 100, 103, 99,
];
/** Table K.2 is 99 but for these, by raster position. */
const chromaBase = Array.from({ length: 64 }, () => 99);
for (const [position, value] of [
  [0, 17],
  [1, 18],
  [2, 24],
  [3, 47],
  [8, 18],
  [9, 21],
  [10, 26],
  [11, 66],
  [16, 24],
  [17, 26],
  [18, 56],
  [24, 47],
  [25, 66],
] as const) {
  chromaBase[position] = value;
}

export interface QuantisationTables {
  /** 64 values each, in raster order. */
  readonly luma: readonly number[];
  readonly chroma: readonly number[];
}

/** `quality` 1 to 99, as RFC 2435 4.2 and most encoders scale it. */
export function quantisationOf(quality: number): QuantisationTables {
  const percent = quality < 50 ? Math.floor(5000 / quality) : 200 - 2 * quality;
  const scaled = (base: readonly number[]): number[] =>
    base.map((value) => Math.min(255, Math.max(1, Math.floor((value * percent + 50) / 100))));
  return { luma: scaled(lumaBase), chroma: scaled(chromaBase) };
}

export interface HuffmanTable {
  /** Number of codes of each length from 1 to 16. */
  readonly counts: readonly number[];
  readonly symbols: readonly number[];
}

const TWELVE = Array.from({ length: 12 }, (_, i) => i);
export const dcLuma: HuffmanTable = { counts: [0, 1, 5, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0], symbols: TWELVE };
export const dcChroma: HuffmanTable = { counts: [0, 3, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0], symbols: TWELVE };

function bytes(text: string): number[] {
  return [...Buffer.from(text.replaceAll(' ', ''), 'hex')];
}

export const acLuma: HuffmanTable = {
  counts: [0, 2, 1, 3, 3, 2, 4, 3, 5, 5, 4, 4, 0, 0, 1, 125],
  symbols: bytes(
    '01020300041105122131410613516107 227114328191a1082342b1c11552d1f0 2433627282090a161718191a25262728 292a3435363738393a43444546474849 ' +
      '4a535455565758595a63646566676869 6a737475767778797a83848586878889 8a92939495969798999aa2a3a4a5a6a7 a8a9aab2b3b4b5b6b7b8b9bac2c3c4c5 ' +
      'c6c7c8c9cad2d3d4d5d6d7d8d9dae1e2 e3e4e5e6e7e8e9eaf1f2f3f4f5f6f7f8 f9fa',
  ),
};
export const acChroma: HuffmanTable = {
  counts: [0, 2, 1, 2, 4, 4, 3, 4, 7, 5, 4, 4, 0, 1, 2, 119],
  symbols: bytes(
    '00010203110405213106124151076171 1322328108144291a1b1c109233352f0 156272d10a162434e125f11718191a26 2728292a35363738393a434445464748 ' +
      '494a535455565758595a636465666768 696a737475767778797a828384858687 88898a92939495969798999aa2a3a4a5 a6a7a8a9aab2b3b4b5b6b7b8b9bac2c3 ' +
      'c4c5c6c7c8c9cad2d3d4d5d6d7d8d9da e2e3e4e5e6e7e8e9eaf2f3f4f5f6f7f8 f9fa',
  ),
};
