// Pictures and audio of a stored segment with their wall clocks; bytes from the project's own writers, laid out as the recorder does.
import { writeFragmentHeader } from '@vedette/protocols/mp4/fragment.ts';
import { writeInitSegment } from '@vedette/protocols/mp4/init-segment.ts';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readDecoderSetup } from './decoder-setup.ts';
import { readSegmentSamples } from './fragment-samples.ts';

const WALL_MS = 1_700_000_000_123;
const setup = readDecoderSetup(
  writeInitSegment([
    {
      kind: 'video',
      id: 1,
      timescale: 90_000,
      codec: 'h264',
      width: 1280,
      height: 720,
      config: Uint8Array.of(1, 0x64, 0, 0x28, 0xff, 0xe0, 0),
    },
    { kind: 'audio', id: 2, timescale: 8000, codec: 'pcma', sampleRate: 8000, channels: 1, config: new Uint8Array(0) },
  ]),
);

/** The clock box as the recorder writes it. */
function clockBox(wallMs: number, ticks: number): Uint8Array {
  const bytes = new Uint8Array(32);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, 32);
  bytes.set(new TextEncoder().encode('prft'), 4);
  view.setUint8(8, 1);
  view.setUint32(12, 1);
  view.setUint32(16, Math.floor(wallMs / 1000) + 2_208_988_800);
  view.setUint32(20, Math.floor(((wallMs % 1000) / 1000) * 0x100000000));
  view.setBigUint64(24, BigInt(ticks));
  return bytes;
}

function segment(wallMs: number, baseDts: number, ctsOffsets: readonly number[] = [0, 0, 0]): Uint8Array {
  const samples = ctsOffsets.map((ctsOffset, at) => ({ size: 4 + at, duration: 3600, isKey: at === 0, ctsOffset }));
  const pictures = samples.map(({ size }) => new Uint8Array(size).fill(size));
  const sound = { size: 160, duration: 160, isKey: true, ctsOffset: 0 };
  const soundDts = Math.round((baseDts * 8000) / 90_000) + 80;
  return join([
    clockBox(wallMs, baseDts),
    writeFragmentHeader(1, [{ trackId: 1, baseDts, samples }]),
    ...pictures,
    writeFragmentHeader(2, [{ trackId: 2, baseDts: soundDts, samples: [sound] }]),
    new Uint8Array(160).fill(9),
  ]);
}

function join(parts: readonly Uint8Array[]): Uint8Array {
  return Uint8Array.from(parts.flatMap((part) => [...part]));
}

test('the decoders are set up by the init segment', () => {
  expect(setup.video).toMatchObject({ codec: 'avc1.640028', codedWidth: 1280, codedHeight: 720 });
  expect(setup.audio).toEqual({ kind: 'g711', law: 'pcma', sampleRate: 8000, channels: 1 });
});

test('every video and audio sample has its own capture time', () => {
  const { video, audio, isReordered } = readSegmentSamples(segment(WALL_MS, 900_000), setup.tracks);
  expect(video.map(({ atUs }) => Math.round(atUs / 1000))).toEqual([WALL_MS, WALL_MS + 40, WALL_MS + 80]);
  expect(video.map(({ isKey, data }) => [isKey, data.length, data[0]])).toEqual([
    [true, 4, 4],
    [false, 5, 5],
    [false, 6, 6],
  ]);
  expect(isReordered).toBe(false);
  expect(audio.map(({ atUs, data }) => [Math.round(atUs / 1000), data.length])).toEqual([[WALL_MS + 10, 160]]);
});

test('a fragment whose clock overlaps the previous one repeats no frame', () => {
  const bytes = join([segment(WALL_MS, 0), segment(WALL_MS + 70, 10_800)]);
  const times = readSegmentSamples(bytes, setup.tracks).video.map(({ atUs }) => atUs);
  expect(times).toEqual(times.toSorted((a, b) => a - b));
  expect(new Set(times).size).toBe(6);
});

test('reordered frames keep their presentation times', () => {
  const { video, isReordered } = readSegmentSamples(segment(WALL_MS, 0, [3600, 7200, 0]), setup.tracks);
  expect(video.map(({ atUs }) => Math.round(atUs / 1000) - WALL_MS)).toEqual([0, 80, 40]);
  expect(isReordered).toBe(true);
});

test('truncated bytes give the intact samples only', () => {
  const bytes = segment(WALL_MS, 0);
  fc.assert(
    fc.property(fc.integer({ min: 0, max: bytes.length }), (length) => {
      const { video } = readSegmentSamples(bytes.subarray(0, length), setup.tracks);
      expect(video.length).toBeLessThanOrEqual(3);
    }),
  );
});
