// Proves the resampler: tones keep their pitch and level at every rate and cut, and what lies above 4 kHz does not fold back.
import { describe, expect, test } from 'vitest';
import { TalkResampler } from './talk-resampler.ts';

const SECONDS = 0.5;

function tone(rate: number, hz: number): Float32Array {
  return Float32Array.from({ length: rate * SECONDS }, (_, n) => 0.5 * Math.sin((2 * Math.PI * hz * n) / rate));
}

/** Pushed in pieces of uneven length, without the filter's start. */
function resampled(rate: number, input: Float32Array): number[] {
  const resampler = new TalkResampler(rate);
  const out: number[] = [];
  for (let at = 0, piece = 1; at < input.length; at += piece, piece = (piece * 7 + 13) % 997) {
    out.push(...resampler.push(input.subarray(at, at + piece)));
  }
  return out.slice(200);
}

function levelOf(samples: readonly number[]): number {
  return Math.sqrt(samples.reduce((sum, sample) => sum + (sample / 32_768) ** 2, 0) / samples.length);
}

describe.each([8000, 16_000, 44_100, 48_000, 96_000])('from %i Hz', (rate) => {
  test.each([200, 1000, 3000].filter((hz) => hz < rate / 2))('a tone of %i Hz stays as it is', (hz) => {
    const out = resampled(rate, tone(rate, hz));
    expect(out.length).toBeGreaterThan(SECONDS * 8000 - 300);
    expect(out.length).toBeLessThanOrEqual(SECONDS * 8000 - 200);
    const crossings = out.filter((sample, at) => at > 0 && sample >= 0 !== (out[at - 1] ?? 0) >= 0).length;
    expect(crossings / 2 / (out.length / 8000)).toBeCloseTo(hz, -1.3);
    expect(levelOf(out)).toBeGreaterThan(0.3);
    expect(levelOf(out)).toBeLessThan(0.4);
  });
});

test.each([16_000, 44_100, 48_000, 96_000])('from %i Hz a tone of 6 kHz is gone rather than heard as 2 kHz', (rate) => {
  expect(levelOf(resampled(rate, tone(rate, 6000)))).toBeLessThan(0.001);
});

test('loud audio is clipped, and silence stays silence', () => {
  const loud = resampled(
    48_000,
    tone(48_000, 500).map((sample) => sample * 4),
  );
  expect([Math.min(...loud), Math.max(...loud)]).toEqual([-32_768, 32_767]);
  expect(new Set(resampled(48_000, new Float32Array(24_000)))).toEqual(new Set([0]));
});
