// Capture times of frames by their RTP time, also where its 32 bits wrap.
import { expect, test } from 'vitest';
import { RtpTime } from './rtp-time.ts';

test('frames before and after the one that was stated get their own time, over the wrap too', () => {
  const time = new RtpTime();
  expect(time.captureMs(0)).toBeNull();
  time.learn(10_000, 0xffff_ffff - 899);
  expect(time.captureMs(0xffff_ffff - 899)).toBe(10_000);
  expect(time.captureMs(900)).toBe(10_020);
  expect(time.captureMs(0xffff_ffff - 90_899)).toBe(9000);
  // A browser that does not tell it.
  expect(time.captureMs(undefined)).toBeNull();
});
