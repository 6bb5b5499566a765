// Sizes of pictures as encoders write them, and of bytes that only claim to be pictures.
import { describe, expect, it } from 'vitest';
import { pictureSize } from './picture-size.ts';

const fromHex = (hex: string) => Buffer.from(hex.replaceAll(' ', ''), 'hex');
const PNG = fromHex('89504e470d0a1a0a 0000000d 49484452 00000280 000001e0 08 02 00 00 00');
/** A comment of two bytes, a table, and a progressive frame of 300 by 200. */
const JPEG = fromHex('ffd8 fffe 0004 6869 ffc4 0003 00 ffff c2 0011 08 00c8 012c 03 011100 021101 031101');
const riff = (chunk: string, rest: string) =>
  Buffer.concat([Buffer.from(`RIFF\0\0\0\0WEBP${chunk}\0\0\0\0`, 'latin1'), fromHex(rest), Buffer.alloc(8)]);

describe('the size of a picture', () => {
  it.each([
    ['image/png', PNG, 640, 480],
    ['image/jpeg', JPEG, 300, 200],
    ['image/webp', riff('VP8 ', '300100 9d012a 4001 f000'), 320, 240],
    ['image/webp', riff('VP8L', '2f 3fc13b00'), 320, 240],
    ['image/webp', riff('VP8X', '10000000 3f0100 ef0000'), 320, 240],
  ] as const)('of %s is read from its header', (type, bytes, width, height) => {
    expect(pictureSize(type, bytes)).toEqual({ width, height });
  });

  it('is null for another type, for text, and for a picture without any pixel', () => {
    expect(pictureSize('image/jpeg', PNG)).toBeNull();
    expect(pictureSize('image/png', JPEG)).toBeNull();
    expect(pictureSize('image/webp', PNG)).toBeNull();
    for (const type of ['image/png', 'image/jpeg', 'image/webp'] as const) {
      expect(pictureSize(type, Buffer.from('<svg onload="alert(1)">'.repeat(5)))).toBeNull();
      expect(pictureSize(type, Buffer.alloc(0))).toBeNull();
    }
    const flat = Buffer.from(PNG);
    flat.writeUInt32BE(0, 20);
    expect(pictureSize('image/png', flat)).toBeNull();
  });

  it('is null wherever the bytes end before the size', () => {
    for (let length = 0; length < 24; length += 1) expect(pictureSize('image/png', PNG.subarray(0, length))).toBeNull();
    for (let length = 0; length < 23; length += 1)
      expect(pictureSize('image/jpeg', JPEG.subarray(0, length))).toBeNull();
  });
});
