// Proves that what the writers write, the readers read, and that the one-sample header has its fixed size.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { writeAvcC } from '../h264/avcc.ts';
import { findBox, Mp4Error, readBoxes, readFragment } from './box-reader.ts';
import { SAMPLE_HEADER_BYTES, SampleFragmentWriter, writeFragmentHeader } from './fragment.ts';
import { readFragmentStart } from './fragment-start.ts';
import { readInitSegment } from './init-reader.ts';
import { writeInitSegment } from './init-segment.ts';

const sps = Buffer.from('Z0IAKZY1QPAET8s3AQEBQAAAAwBAAAAHoQ==', 'base64');
const pps = Buffer.from('aM4xsg==', 'base64');
const video = {
  kind: 'video',
  id: 1,
  timescale: 90_000,
  codec: 'h264',
  width: 1920,
  height: 1080,
  config: writeAvcC(sps, [pps]),
} as const;
const audio = {
  kind: 'audio',
  id: 2,
  timescale: 48_000,
  codec: 'aac',
  sampleRate: 48_000,
  channels: 2,
  config: Uint8Array.of(0x11, 0x90),
} as const;

test('an init segment reads back', () => {
  const bytes = writeInitSegment([video, audio]);
  expect(readBoxes(bytes).map((found) => found.type)).toEqual(['ftyp', 'moov']);
  expect(readInitSegment(bytes)).toMatchObject([
    { id: 1, kind: 'video', timescale: 90_000, sampleEntry: 'avc1', width: 1920, height: 1080, config: video.config },
    { id: 2, kind: 'audio', timescale: 48_000, sampleEntry: 'mp4a', channels: 2, sampleRate: 48_000 },
  ]);
});

test('a one-sample fragment reads back at any decode time', () => {
  const writer = new SampleFragmentWriter(7);
  fc.assert(
    fc.property(
      fc.record({
        dts: fc.nat(2 ** 50),
        size: fc.nat(1 << 24),
        duration: fc.nat(900_000),
        isKey: fc.boolean(),
        ctsOffset: fc.integer({ min: -90_000, max: 90_000 }),
      }),
      ({ dts, size, duration, isKey, ctsOffset }) => {
        const bytes = new Uint8Array(SAMPLE_HEADER_BYTES + 3);
        writer.write(bytes, 3, { data: { length: size }, dts, isKey, ctsOffset }, duration);
        expect(readFragment(bytes.subarray(3), 0)).toEqual([
          { trackId: 7, baseDts: dts, samples: [{ offset: SAMPLE_HEADER_BYTES, size, duration, isKey, ctsOffset }] },
        ]);
        expect(readFragmentStart(bytes.subarray(3))).toEqual({ dts, ctsOffset });
        expect(findBox(bytes.subarray(3), ['moof'])?.end).toBe(SAMPLE_HEADER_BYTES - 8);
      },
    ),
  );
});

test('a fragment of two tracks places the samples one after another', () => {
  const sample = (size: number, isKey: boolean) => ({ size, duration: 3000, isKey, ctsOffset: 0 });
  const header = writeFragmentHeader(5, [
    { trackId: 1, baseDts: 10, samples: [sample(100, true), sample(50, false)] },
    { trackId: 3, baseDts: 0, samples: [] },
    { trackId: 2, baseDts: 2 ** 40, samples: [sample(7, true)] },
  ]);
  const runs = readFragment(header, 0);
  const start = header.length;
  expect(runs.map((run) => run.samples.map((one) => one.offset))).toEqual([[start, start + 100], [start + 150]]);
  expect(runs[1]?.baseDts).toBe(2 ** 40);
  const moofEnd = findBox(header, ['moof'])?.end as number;
  expect(Buffer.from(header).readUInt32BE(moofEnd)).toBe(8 + 157);
});

test('mutated boxes throw nothing but Mp4Error', () => {
  const whole = writeInitSegment([video, audio]);
  const moof = writeFragmentHeader(1, [
    { trackId: 1, baseDts: 0, samples: [{ size: 1, duration: 1, isKey: true, ctsOffset: 0 }] },
  ]);
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.nat(whole.length - 1), fc.nat(255)), { maxLength: 12 }), (edits) => {
      const one = whole.slice();
      const two = moof.slice();
      for (const [at, value] of edits) {
        one[at] = value;
        two[at % two.length] = value;
      }
      for (const read of [() => readInitSegment(one), () => readFragment(two, 0)]) {
        try {
          read();
        } catch (error) {
          if (!(error instanceof Mp4Error)) throw error;
        }
      }
    }),
    { numRuns: 500 },
  );
});
