// Proves that the sound of cameras under load has the rate it says, in whole frames whose times follow each other.
import { expect, test } from 'vitest';
import { PaddedAudio } from './padded-audio.ts';

const CHANNEL = 2;
/** Of the interleaved head, and of that with the RTP header behind it. */
const [FRAME_HEAD, PAYLOAD] = [4, 16];

test('a second is forty-six whole frames of 64 kbit/s, 1024 samples apart', () => {
  const sound = new PaddedAudio(1);
  sound.skipTo(5000);
  expect(sound.upTo(5020)).toBeNull();
  const bytes = sound.upTo(6000) ?? Buffer.alloc(0);
  const times: number[] = [];
  let media = 0;
  for (let at = 0; at < bytes.length; ) {
    expect(bytes[at + 1]).toBe(CHANNEL);
    const length = bytes.readUInt16BE(at + 2);
    const payload = bytes.subarray(at + PAYLOAD, at + FRAME_HEAD + length);
    // One AU header of 16 bits; its upper 13 are the size (RFC 3640 3.3.6).
    expect(payload.readUInt16BE(0)).toBe(16);
    expect(payload.readUInt16BE(2) >> 3).toBe(payload.length - 4);
    media += payload.length - 4;
    times.push(bytes.readUInt32BE(at + FRAME_HEAD + 4));
    at += FRAME_HEAD + length;
  }
  expect(times).toHaveLength(46);
  expect(times.every((time, index) => index === 0 || time - (times[index - 1] ?? 0) === 1024)).toBe(true);
  expect(Math.round((media * 8 * 48_000) / (46 * 1024) / 1000)).toBe(64);
});
