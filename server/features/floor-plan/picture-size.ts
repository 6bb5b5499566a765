// Width and height of a PNG, JPEG or WebP picture, read from its first bytes: the server decodes no picture of a stranger.
import type { FloorPlanPicture } from '@vedette/contract/calls/floor-plan.ts';

export interface PictureSize {
  readonly width: number;
  readonly height: number;
}

type PictureType = FloorPlanPicture['contentType'];

/** Null where the bytes are no picture of that type. */
export function pictureSize(type: PictureType, bytes: Buffer): PictureSize | null {
  const size = SIZES[type](bytes);
  return size === null || size.width === 0 || size.height === 0 ? null : size;
}

const SIZES: Readonly<Record<PictureType, (bytes: Buffer) => PictureSize | null>> = {
  'image/png': pngSize,
  'image/jpeg': jpegSize,
  'image/webp': webpSize,
};

const PNG_START = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

/** The header chunk is always the first. */
function pngSize(bytes: Buffer): PictureSize | null {
  if (bytes.length < 24 || !bytes.subarray(0, 8).equals(PNG_START)) return null;
  if (bytes.toString('latin1', 12, 16) !== 'IHDR') return null;
  return { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) };
}

/** Markers of the frame header: SOF0 to SOF15 without the tables DHT (C4), JPG (C8) and DAC (CC). */
function isFrameHeader(marker: number): boolean {
  return marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;
}

function jpegSize(bytes: Buffer): PictureSize | null {
  if (bytes.length < 4 || bytes.readUInt16BE(0) !== 0xffd8) return null;
  let at = 2;
  while (at + 9 <= bytes.length && bytes[at] === 0xff) {
    const marker = bytes[at + 1] ?? 0;
    if (isFrameHeader(marker)) return { height: bytes.readUInt16BE(at + 5), width: bytes.readUInt16BE(at + 7) };
    // A marker may be preceded by any number of fill bytes.
    at += marker === 0xff ? 1 : 2 + bytes.readUInt16BE(at + 2);
  }
  return null;
}

function webpSize(bytes: Buffer): PictureSize | null {
  if (bytes.length < 30) return null;
  if (bytes.toString('latin1', 0, 4) !== 'RIFF' || bytes.toString('latin1', 8, 12) !== 'WEBP') return null;
  switch (bytes.toString('latin1', 12, 16)) {
    case 'VP8 ':
      return { width: bytes.readUInt16LE(26) & 0x3fff, height: bytes.readUInt16LE(28) & 0x3fff };
    case 'VP8L': {
      const bits = bytes.readUInt32LE(21);
      return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 };
    }
    case 'VP8X':
      return { width: bytes.readUIntLE(24, 3) + 1, height: bytes.readUIntLE(27, 3) + 1 };
    default:
      return null;
  }
}
