// Proves H.264 parameter sets, avcC and byte streams against sets of real encoders, and fuzzes them.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { BitstreamError } from '../bits/bit-reader.ts';
import { parseAvcC, writeAvcC } from './avcc.ts';
import { splitAnnexB, trimNal } from './nal.ts';
import { h264CodecString, parseH264Sps } from './sps.ts';

const bytes = (text: string): Buffer => Buffer.from(text, 'base64');
interface StatedFacts {
  readonly width: number;
  readonly height: number;
  readonly codec: string;
  readonly reorderDepth: number | null;
}

/** Sets that devices and encoders wrote; sizes as the devices state them elsewhere. */
const SETS: [name: string, sps: string, stated: StatedFacts][] = [
  [
    'cropped to 1080 lines',
    'Z0IAKZY1QPAET8s3AQEBQAAAAwBAAAAHoQ==',
    { width: 1920, height: 1080, codec: 'avc1.420029', reorderDepth: 0 },
  ],
  [
    'main profile without VUI bounds',
    'Z00AH5WoFAFuQA==',
    { width: 1280, height: 720, codec: 'avc1.4d001f', reorderDepth: null },
  ],
  ['high profile', 'Z2QAM6zoAoALWQ==', { width: 2560, height: 1440, codec: 'avc1.640033', reorderDepth: null }],
  [
    'small, baseline',
    'Z0LAHtkDxWhAAAADAEAAAAwDxYuS',
    { width: 240, height: 160, codec: 'avc1.42c01e', reorderDepth: 0 },
  ],
  [
    'with timing',
    'Z2QAHqwsaoLA9puCgIKgAAADACAAAAMD0IAA',
    { width: 704, height: 480, codec: 'avc1.64001e', reorderDepth: null },
  ],
];

test.each(SETS)('SPS %s', (_, sps, { codec, ...facts }) => {
  expect(parseH264Sps(bytes(sps))).toMatchObject(facts);
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
          expectOnlyBitstreamError(run);
        }
      }
    }),
    { numRuns: 1000 },
  );
});

function expectOnlyBitstreamError(run: () => unknown): void {
  try {
    run();
  } catch (error) {
    if (!(error instanceof BitstreamError)) throw error;
  }
}
