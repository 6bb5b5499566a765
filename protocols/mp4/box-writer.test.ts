// Boxes that are written are read back, with their sizes, types and contents.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { box, fourCc, fullBox, u16, u32, zeros } from './box-writer.ts';

const sizeOf = (bytes: Uint8Array) => new DataView(bytes.buffer, bytes.byteOffset).getUint32(0);

test('a box names its size and type, and holds its contents in order', () => {
  const parts = fc.array(fc.oneof(fc.uint8Array({ maxLength: 40 }), fc.array(fc.nat(255), { maxLength: 40 })), {
    maxLength: 6,
  });
  fc.assert(
    fc.property(parts, (contents) => {
      const bytes = box('moof', ...contents);
      expect(sizeOf(bytes)).toBe(bytes.length);
      expect([...bytes.subarray(4, 8)]).toEqual([...Buffer.from('moof')]);
      expect([...bytes.subarray(8)]).toEqual(contents.flatMap((content) => [...content]));
    }),
  );
});

test('a box without contents is its header alone', () =>
  expect([...box('free')]).toEqual([0, 0, 0, 8, ...fourCc('free')]));

test('a box within a box', () => {
  const inner = box('tfhd', u32(7));
  expect([...box('traf', inner)]).toEqual([0, 0, 0, 20, ...fourCc('traf'), ...inner]);
});

test.each([
  [0, 0, [0, 0, 0, 0]],
  [1, 0x020305, [1, 2, 3, 5]],
  // The highest bit is no sign.
  [255, 0xffffff, [255, 255, 255, 255]],
])('version %i and flags %i', (version, flags, expected) => {
  expect([...fullBox('tfdt', version, flags).subarray(8)]).toEqual(expected);
});

test.each([0, 1, 0x7fffffff, 0x80000000, 0xffffffff])('the number %i takes four bytes', (value) => {
  expect(Buffer.from(u32(value)).readUInt32BE()).toBe(value);
});

test.each([0, 255, 256, 65_535])('the number %i takes two bytes', (value) => {
  expect(Buffer.from(u16(value)).readUInt16BE()).toBe(value);
});

test('reserved bytes are zero', () => expect([zeros(0), zeros(3)]).toEqual([[], [0, 0, 0]]));
