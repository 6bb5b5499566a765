// Proves H.264 parameter sets, avcC and byte streams against sets of real encoders, and fuzzes them.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { BitstreamError } from '../bits/bit-reader.ts';
import { parseAvcC, writeAvcC } from './avcc.ts';
import { splitAnnexB, trimNal } from './nal.ts';
import { h264CodecString, parseH264Sps } from './sps.ts';

const bytes = (text: string): Buffer => Buffer.from(text, 'base64');
/** Sets that devices and encoders wrote; sizes as the devices state them elsewhere. */
const SETS: [name: string, sps: string, width: number, height: number, codec: string, reorder: number | null][] = [
  ['cropped to 1080 lines', 'Z0IAKZY1QPAET8s3AQEBQAAAAwBAAAAHoQ==', 1920, 1080, 'avc1.420029', 0],
  ['main profile without VUI bounds', 'Z00AH5WoFAFuQA==', 1280, 720, 'avc1.4d001f', null],
  ['high profile', 'Z2QAM6zoAoALWQ==', 2560, 1440, 'avc1.640033', null],
  ['small, baseline', 'Z0LAHtkDxWhAAAADAEAAAAwDxYuS', 240, 160, 'avc1.42c01e', 0],
  ['with timing', 'Z2QAHqwsaoLA9puCgIKgAAADACAAAAMD0IAA', 704, 480, 'avc1.64001e', null],
];

test.each(SETS)('SPS %s', (_, sps, width, height, codec, reorder) => {
  expect(parseH264Sps(bytes(sps))).toMatchObject({ width, height, reorderDepth: reorder });
  expect(h264CodecString(bytes(sps))).toBe(codec);
});

describe('avcC', () => {
  test('carries the sets and, for high profiles, the chroma fields', () => {
    const sps = bytes('Z2QAM6zoAoALWQ==');
    const pps = [bytes('aO48MA=='), bytes('aO48gA==')];
    const record = writeAvcC(sps, pps);
    expect(Array.from(record.subarray(0, 6))).toEqual([1, 0x64, 0, 0x33, 0xff, 0xe1]);
    expect(Array.from(record.subarray(-4))).toEqual([0xfd, 0xf8, 0xf8, 0]);
    const read = parseAvcC(record);
    expect(read.sps.map((set) => Buffer.from(set))).toEqual([sps]);
    expect(read.pps.map((set) => Buffer.from(set))).toEqual(pps);
    expect(read.nalLengthSize).toBe(4);
  });

  test('without a PPS there is none', () => {
    expect(() => writeAvcC(bytes('Z2QAM6zoAoALWQ=='), [])).toThrow(BitstreamError);
  });
});

test('byte streams split at start codes of both lengths', () => {
  const stream = Uint8Array.of(9, 0, 0, 0, 1, 0x67, 1, 0, 0, 0, 0, 1, 0x68, 2, 0, 0, 1, 0x65, 3);
  expect(splitAnnexB(stream).map((nal) => [...nal])).toEqual([
    [0x67, 1],
    [0x68, 2],
    [0x65, 3],
  ]);
  expect([...trimNal(Uint8Array.of(0x68, 0x80, 0, 0, 0, 1))]).toEqual([0x68, 0x80]);
});

test('mutated and random sets throw nothing but BitstreamError', () => {
  const base = bytes('Z2QAHqwsaoLA9puCgIKgAAADACAAAAMD0IAA');
  const edits = fc.array(fc.tuple(fc.nat(base.length - 1), fc.nat(255)), { maxLength: 10 });
  fc.assert(
    fc.property(edits, fc.uint8Array({ maxLength: 200 }), (list, noise) => {
      const mutated = Buffer.from(base);
      for (const [at, value] of list) mutated[at] = value;
      for (const input of [mutated, Uint8Array.of(0x67, ...noise)]) {
        for (const run of [
          () => parseH264Sps(input),
          () => writeAvcC(input, [input]),
          () => parseAvcC(input),
          () => splitAnnexB(input),
        ]) {
          try {
            run();
          } catch (error) {
            if (!(error instanceof BitstreamError)) throw error;
          }
        }
      }
    }),
    { numRuns: 1000 },
  );
});
