// The audio record that our own writer puts into an esds, and others that other muxers write.
import { expect, test } from 'vitest';
import { JPEG_OBJECT, readAudioSpecificConfig, readObjectType } from './esds-reader.ts';
import { readInitSegment } from './init-reader.ts';
import { writeInitSegment } from './init-segment.ts';

const config = Uint8Array.of(0x11, 0x90);

test('what the writer wrote', () => {
  const init = writeInitSegment([
    { kind: 'audio', id: 1, timescale: 48_000, codec: 'aac', sampleRate: 48_000, channels: 2, config },
  ]);
  const [track] = readInitSegment(init);
  expect(readAudioSpecificConfig(track?.config ?? new Uint8Array())).toEqual(config);
});

test('JPEG pictures are told by their object type', () => {
  const size = { width: 640, height: 360, config: new Uint8Array() };
  const init = writeInitSegment([{ kind: 'video', id: 1, timescale: 90_000, codec: 'mjpeg', ...size }]);
  const [track] = readInitSegment(init);
  expect(readObjectType(track?.config ?? new Uint8Array())).toBe(JPEG_OBJECT);
});

test('sizes of one byte', () => {
  const decoder = [4, 17, 0x40, 0x15, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 5, 2, 0x11, 0x90];
  const content = Uint8Array.of(0, 0, 0, 0, 3, 3 + decoder.length, 0, 1, 0, ...decoder);
  expect(readAudioSpecificConfig(content)).toEqual(config);
});

test.each([[[]], [[0, 0, 0, 0]], [[0, 0, 0, 0, 3, 200, 1]], [[0, 0, 0, 0, 9, 9, 9, 9]]])('nothing in %j', (bytes) => {
  expect(readAudioSpecificConfig(Uint8Array.from(bytes))).toBeNull();
  expect(readObjectType(Uint8Array.from(bytes))).toBeNull();
});
