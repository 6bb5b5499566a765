// Pictures of events: which files are taken, and which are refused and why.
import { expect, it } from 'vitest';
import { EVENT_PICTURE } from '@vedette/contract/limits.ts';
import { readEventPicture } from './event-picture.ts';

const segment = (marker: number, content: Buffer) => {
  const head = Buffer.from([0xff, marker, 0, 0]);
  head.writeUInt16BE(content.length + 2, 2);
  return Buffer.concat([head, content]);
};
function jpeg(width: number, height: number, startOfFrame = 0xc0): Buffer {
  const frame = Buffer.from([8, 0, 0, 0, 0, 1, 1, 0x11, 0]);
  frame.writeUInt16BE(height, 1);
  frame.writeUInt16BE(width, 3);
  const tables = [segment(0xe0, Buffer.from('JFIF\0')), segment(0xc4, Buffer.alloc(20)), Buffer.of(0xff)];
  return Buffer.concat([Buffer.of(0xff, 0xd8), ...tables, segment(startOfFrame, frame), Buffer.of(0xff, 0xd9)]);
}
function png(width: number, height: number): Buffer {
  const rest = Buffer.alloc(17);
  rest.writeUInt32BE(width, 0);
  rest.writeUInt32BE(height, 4);
  return Buffer.concat([Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex'), rest]);
}
const read = (file: Buffer) => readEventPicture(file.toString('base64'));

it('takes baseline and progressive JPEG, and PNG, byte for byte', () => {
  for (const file of [jpeg(640, 360), jpeg(8192, 1, 0xc2)])
    expect(read(file)).toEqual({ contentType: 'image/jpeg', data: file });
  expect(read(png(1, 8192))).toEqual({ contentType: 'image/png', data: png(1, 8192) });
});

it('refuses other files, whatever they call themselves, and cut ones', () => {
  const others = ['GIF89a', '<svg xmlns="http://www.w3.org/2000/svg"/>', '<script>alert(1)</script>', 'RIFF    WEBP'];
  for (const text of others) expect(read(Buffer.from(text)), text).toBe('format');
  for (const file of [jpeg(640, 360), png(640, 360)]) {
    expect(read(file.subarray(0, 14))).toBe('format');
    expect(read(file.subarray(0, 2))).toBe('format');
  }
  expect(read(jpeg(0, 360))).toBe('format');
  expect(read(png(640, 0))).toBe('format');
});

it('refuses what is no base64, and more bytes or pixels than are allowed', () => {
  const whole = jpeg(640, 360).toString('base64');
  for (const text of [`data:image/jpeg;base64,${whole}`, `${whole} `, `-${whole}`, '', '='])
    expect(readEventPicture(text)).toBe('format');
  expect(read(jpeg(8193, 360))).toBe('tooBig');
  expect(read(png(640, 0xffffffff))).toBe('tooBig');
  const padded = (length: number) => Buffer.concat([jpeg(640, 360), Buffer.alloc(length)]).subarray(0, length);
  expect(read(padded(EVENT_PICTURE.bytes))).toMatchObject({ contentType: 'image/jpeg' });
  expect(read(padded(EVENT_PICTURE.bytes + 1))).toBe('tooLong');
});
