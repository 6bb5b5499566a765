// Proves AudioSpecificConfig against what devices send, and fuzzes it.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { BitstreamError } from '../bits/bit-reader.ts';
import { aacCodecString, parseAudioSpecificConfig, writeAudioSpecificConfig } from './audio-specific-config.ts';

test.each([
  ['1188', 2, 48_000, 1],
  ['1408', 2, 16_000, 1],
  ['1490', 2, 12_000, 2],
  ['119056E500', 2, 48_000, 2],
])('%s', (hex, objectType, sampleRate, channels) => {
  expect(parseAudioSpecificConfig(Buffer.from(hex, 'hex'))).toMatchObject({
    objectType,
    sampleRate,
    channels,
    frameLength: 1024,
  });
});

test('HE-AAC names its core', () => {
  const parsed = parseAudioSpecificConfig(Buffer.from('2B920800', 'hex'));
  expect(parsed).toMatchObject({ objectType: 2, sampleRate: 22_050, channels: 2 });
  expect(aacCodecString(parsed.objectType)).toBe('mp4a.40.2');
});

test('what is written reads back; what is in no table is refused', () => {
  expect(parseAudioSpecificConfig(writeAudioSpecificConfig(44_100, 6))).toMatchObject({
    sampleRate: 44_100,
    channels: 6,
  });
  expect(() => writeAudioSpecificConfig(12_345, 2)).toThrow(BitstreamError);
});

test('random bytes throw nothing but BitstreamError', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 12 }), (input) => {
      try {
        parseAudioSpecificConfig(input);
      } catch (error) {
        if (!(error instanceof BitstreamError)) throw error;
      }
    }),
  );
});
