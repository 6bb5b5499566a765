// Proves the frame of silence with ffmpeg's decoder, at several sampling rates.
import { expect, test } from 'vitest';
import { run } from '../../tests/harness/ffprobe.ts';
import { SILENT_AAC_FRAME } from './silent-frame.ts';

/** ADTS header (ISO/IEC 13818-7 6.2) of AAC-LC in one channel; `rate`: index of the sampling rate. */
function adts(rate: number, frame: Uint8Array): Buffer {
  const length = frame.length + 7;
  const head = [
    0xff,
    0xf1,
    0x40 | (rate << 2),
    0x40 | (length >> 11),
    (length >> 3) & 0xff,
    ((length & 7) << 5) | 0x1f,
  ];
  return Buffer.concat([Buffer.from([...head, 0xfc]), frame]);
}

test.each([
  ['16 kHz', 8],
  ['48 kHz', 3],
  ['8 kHz', 11],
])('decodes to 1024 samples of nothing at %s', async (_title, rate) => {
  const stream = Buffer.concat(new Array(10).fill(adts(rate, SILENT_AAC_FRAME)));
  const { bytes, stderr } = await run('ffmpeg', ['-v', 'warning', '-f', 'aac', '-i', '-', '-f', 's16le', '-'], stream);
  expect(stderr).not.toMatch(/error|invalid|overread/i);
  expect(bytes.equals(Buffer.alloc(10 * 1024 * 2))).toBe(true);
});
