// Structures of stored zip archives, read back field by field as APPNOTE 4.3 lays them out, up to and beyond 4 GB.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { writeDirectory, writeLocalHeader, ZIP_CRC_AT, type ZipEntry } from './zip.ts';

const GB_4 = 0xffffffff;
const entry = (over: Partial<ZipEntry> = {}): ZipEntry => ({
  name: 'Hof/früh.mp4',
  bytes: 1000,
  crc32: 0xdeadbeef,
  offset: 77,
  modifiedMs: Date.UTC(2026, 10, 26, 13, 37, 59),
  ...over,
});

interface Row {
  readonly name: string;
  readonly size: number;
  readonly crc32: number;
  readonly offset: number;
  readonly next: number;
}

function readRow(bytes: Buffer, at: number): Row {
  expect(bytes.readUInt32LE(at)).toBe(0x02014b50);
  const [nameLength, extraLength] = [bytes.readUInt16LE(at + 28), bytes.readUInt16LE(at + 30)];
  const wide = wideNumbers(bytes.subarray(at + 46 + nameLength, at + 46 + nameLength + extraLength));
  const narrow = [bytes.readUInt32LE(at + 24), bytes.readUInt32LE(at + 20), bytes.readUInt32LE(at + 42)];
  // Each that is all ones stands in the extra field, in this order.
  const [size = -1, stored = -1, offset = -1] = narrow.map((value) => (value === GB_4 ? (wide.shift() ?? -1) : value));
  expect(stored).toBe(size);
  const name = bytes.toString('utf8', at + 46, at + 46 + nameLength);
  return { name, size, crc32: bytes.readUInt32LE(at + 16), offset, next: at + 46 + nameLength + extraLength };
}

function wideNumbers(extra: Buffer): number[] {
  if (extra.length === 0) return [];
  expect([extra.readUInt16LE(0), extra.readUInt16LE(2)]).toEqual([1, extra.length - 4]);
  return Array.from({ length: (extra.length - 4) / 8 }, (_, at) => Number(extra.readBigUInt64LE(4 + at * 8)));
}

describe('a zip archive', () => {
  it('has the rows that were written, in order, whatever their names, sizes and places', () => {
    const size = fc.oneof(fc.nat(), fc.constantFrom(0, GB_4 - 1, GB_4, GB_4 + 1, 2 ** 45));
    const rows = fc.array(
      fc.record({
        name: fc.string({ unit: 'grapheme', maxLength: 40 }),
        bytes: size,
        offset: size,
        crc32: fc.nat(),
        modifiedMs: fc.nat(),
      }),
      { maxLength: 5 },
    );
    fc.assert(
      fc.property(rows, (entries) => {
        const bytes = writeDirectory(entries, 100);
        let at = 0;
        for (const { name, bytes: length, crc32, offset } of entries) {
          const row = readRow(bytes, at);
          expect(row).toMatchObject({ name: Buffer.from(name).toString(), size: length, crc32, offset });
          at = row.next;
        }
        expect(bytes.readUInt32LE(at)).toBe(0x06054b50);
        expect(bytes.readUInt16LE(at + 10)).toBe(entries.length);
        expect([bytes.readUInt32LE(at + 12), bytes.readUInt32LE(at + 16)]).toEqual([at, 100]);
        expect(bytes.length).toBe(at + 22);
      }),
    );
  });

  it('names the place of a directory beyond 4 GB in the 64-bit end', () => {
    const offset = 5 * 2 ** 30;
    const bytes = writeDirectory([entry()], offset);
    const end = bytes.length - 22;
    expect(bytes.readUInt32LE(end + 16)).toBe(GB_4);
    const locator = end - 20;
    expect(bytes.readUInt32LE(locator)).toBe(0x07064b50);
    const wide = Number(bytes.readBigUInt64LE(locator + 8)) - offset;
    expect(bytes.readUInt32LE(wide)).toBe(0x06064b50);
    expect([bytes.readBigUInt64LE(wide + 24), bytes.readBigUInt64LE(wide + 32)]).toEqual([1n, 1n]);
    expect([Number(bytes.readBigUInt64LE(wide + 40)), Number(bytes.readBigUInt64LE(wide + 48))]).toEqual([
      wide,
      offset,
    ]);
  });

  it.each([
    [GB_4 - 1, 0],
    [GB_4, 20],
  ])('a local header of %i bytes has %i bytes more', (bytes, extra) => {
    const header = writeLocalHeader(entry({ bytes }));
    expect(header.readUInt32LE(0)).toBe(0x04034b50);
    expect(header.readUInt32LE(ZIP_CRC_AT)).toBe(0xdeadbeef);
    expect(header.readUInt16LE(28)).toBe(extra);
    expect(header.length).toBe(30 + Buffer.byteLength('Hof/früh.mp4') + extra);
    expect(header.readUInt16LE(6) & 0x0800).toBe(0x0800);
  });

  it.each([
    ['in steps of two seconds, in UTC', Date.UTC(2026, 10, 26, 13, 37, 59), [2026, 11, 26, 13, 37, 58]],
    ['before 1980 as of 1980', Date.UTC(1970, 5, 2, 3, 4, 6), [1980, 6, 2, 3, 4, 6]],
    ['after 2107 as of 2107', Date.UTC(2200, 0, 1), [2107, 1, 1, 0, 0, 0]],
  ])('keeps the time %s', (_, modifiedMs, expected) => {
    const header = writeLocalHeader(entry({ modifiedMs }));
    const [time, date] = [header.readUInt16LE(10), header.readUInt16LE(12)];
    const day = [(date >> 9) + 1980, (date >> 5) & 15, date & 31];
    expect([...day, time >> 11, (time >> 5) & 63, (time & 31) * 2]).toEqual(expected);
  });
});
