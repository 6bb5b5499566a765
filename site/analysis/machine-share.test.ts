// Frames of edge intelligence keep to their share of the machine, together with what decoding takes.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CAP_PERCENT, MachineShare } from './machine-share.ts';

/** Looks at frames as often as it may for a minute, while decoders take `decodingPercent` of both processors. */
function busyMinute(decodingPercent: number, frameMs: number): MachineShare {
  const share = new MachineShare(2);
  let frames = 0;
  for (let now = 0; now < 120_000; now += 10) {
    if (now % 1000 === 0) share.spentOnDecoding(now, (decodingPercent / 100) * 2 * 1000);
    if (now < share.liveFrom) continue;
    share.spentOnFrame(now, now, frameMs);
    frames += 1;
  }
  expect(frames).toBeGreaterThan(0);
  return share;
}

describe('the share of edge intelligence', () => {
  it('counts frames and their decoders together', () => {
    const share = new MachineShare(2);
    share.spentOnFrame(0, 0, 6000);
    share.spentOnDecoding(0, 12_000);
    share.spentOnSpare(0, 6000);
    expect(share.usedPercent(1000)).toBeCloseTo(20);
    expect(share.usedPercent(61_000)).toBe(0);
  });

  it('is kept whatever a frame and decoding take, as long as decoding leaves room', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 40 }), fc.integer({ min: 5, max: 200 }), (decodingPercent, frameMs) => {
        expect(busyMinute(decodingPercent, frameMs).usedPercent(120_000)).toBeLessThanOrEqual(CAP_PERCENT + 1);
      }),
      { numRuns: 30 },
    );
  });

  it('goes on slowly where decoding alone takes it all', () => {
    const used = busyMinute(60, 20).usedPercent(120_000);
    expect(used).toBeGreaterThan(65);
    expect(used).toBeLessThan(72);
  });

  it('lets recordings wait for what decoding them took', () => {
    const share = new MachineShare(2);
    share.spentOnSpare(1000, 500);
    expect([share.liveFrom, share.spareFrom]).toEqual([0, 1500]);
  });
});
