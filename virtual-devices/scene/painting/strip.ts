// The machine-readable strip at the top left of every picture: frame counter and wall clock, written and read as luma blocks.

/*
 * Layout. A block is a square whose side is 1/160 of the picture's width (8, 4 or 2 pixels in the three streams), so the
 * strip can also be read from a scaled picture. Two rows start at the top left corner, most significant bit first:
 *
 *   row 0: sync 1010, 32 bits frame counter,                         8 bits check
 *   row 1: sync 0101, 48 bits wall clock in ms since 1970 UTC,       8 bits check
 *
 * A dark block is 0, a light block is 1. The check is a CRC-8 (polynomial 0x07) over the bytes of the value. The frame
 * counter starts with each stream of the device and rises by one per picture made, so a gap means pictures were lost.
 */

export interface StripContent {
  readonly frame: number;
  readonly wallMs: number;
}

/** Bits of the two rows as text; `1` is a light block. */
export type StripRows = readonly [string, string];

export const STRIP_BLOCKS_PER_WIDTH = 160;
export const STRIP_ROWS = 2;
/** Blocks in the longer row. */
export const STRIP_COLUMNS = 60;
export const STRIP_DARK = 36;
export const STRIP_LIGHT = 172;
const THRESHOLD = (STRIP_DARK + STRIP_LIGHT) / 2;

const SYNC = ['1010', '0101'] as const;
const FRAME_BITS = 32;
const CLOCK_BITS = 48;

/** Reads the luma (0 to 255) of one pixel. */
export type LumaAt = (x: number, y: number) => number;

export function stripBits(content: StripContent): StripRows {
  return [row(SYNC[0], content.frame >>> 0, FRAME_BITS), row(SYNC[1], content.wallMs, CLOCK_BITS)];
}

/** Null when the picture carries no readable strip. */
export function readStrip(lumaAt: LumaAt, width: number): StripContent | null {
  const frame = readRow(lumaAt, width / STRIP_BLOCKS_PER_WIDTH, 0, FRAME_BITS);
  const wallMs = readRow(lumaAt, width / STRIP_BLOCKS_PER_WIDTH, 1, CLOCK_BITS);
  return frame === null || wallMs === null ? null : { frame, wallMs };
}

/** From the luma plane of a decoded picture. */
export function readStripFromLuma(plane: Uint8Array, stride: number, width: number): StripContent | null {
  return readStrip((x, y) => plane[y * stride + x] ?? 0, width);
}

/** From canvas pixels (`getImageData().data`). */
export function readStripFromRgba(pixels: Uint8ClampedArray | Uint8Array, width: number): StripContent | null {
  return readStrip((x, y) => {
    const at = (y * width + x) * 4;
    return 0.2126 * (pixels[at] ?? 0) + 0.7152 * (pixels[at + 1] ?? 0) + 0.0722 * (pixels[at + 2] ?? 0);
  }, width);
}

function row(sync: string, value: number, bits: number): string {
  const text = value.toString(2).padStart(bits, '0');
  return sync + text + checksum(text).toString(2).padStart(8, '0');
}

function checksum(bits: string): number {
  let crc = 0;
  for (let i = 0; i < bits.length; i += 8) {
    crc ^= Number.parseInt(bits.slice(i, i + 8), 2);
    for (let bit = 0; bit < 8; bit++) crc = crc & 0x80 ? ((crc << 1) ^ 0x07) & 0xff : crc << 1;
  }
  return crc;
}

function readRow(lumaAt: LumaAt, block: number, index: 0 | 1, bits: number): number | null {
  const text = Array.from({ length: 4 + bits + 8 }, (_, column) =>
    sample(lumaAt, column * block, index * block, block) > THRESHOLD ? '1' : '0',
  ).join('');
  const value = text.slice(4, 4 + bits);
  if (!text.startsWith(SYNC[index]) || checksum(value) !== Number.parseInt(text.slice(4 + bits), 2)) return null;
  return Number.parseInt(value, 2);
}

/** Mean of the inner quarter of a block: its edges suffer from scaling and compression. */
function sample(lumaAt: LumaAt, left: number, top: number, block: number): number {
  const from = block / 4;
  const to = (block * 3) / 4;
  let sum = 0;
  for (const dy of [from, to]) {
    for (const dx of [from, to]) sum += lumaAt(Math.floor(left + dx), Math.floor(top + dy));
  }
  return sum / 4;
}
