// Tests of the times of pushed streams: both tracks on one time line, breaks bridged by capture times, never back.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { AccessUnit } from '../stream/stream.ts';
import { PushTimeline } from './push-timeline.ts';

const unit = (track: AccessUnit['track'], dts: number, wallMs: number): AccessUnit => ({
  track,
  data: Buffer.alloc(0),
  isKey: true,
  dts,
  ctsOffset: 0,
  wallMs,
});

describe('times of a pushed stream', () => {
  it('begin at 0, and place audio where it is beside the video', () => {
    const timeline = new PushTimeline();
    expect(timeline.at(unit('video', 900_000, 5000), 0)).toBe(0);
    expect(timeline.at(unit('audio', 80_160, 5020), 8000)).toBe(20);
    expect(timeline.at(unit('video', 903_600, 5040), 0)).toBe(40);
  });

  it('go on after a break as long as the capture times say', () => {
    const timeline = new PushTimeline();
    timeline.at(unit('video', 0, 1000), 0);
    timeline.at(unit('video', 3600, 1040), 0);
    timeline.break();
    expect(timeline.at(unit('video', 50, 4040), 0)).toBe(3040);
    expect(timeline.at(unit('video', 3650, 4080), 0)).toBe(3080);
  });

  it('never go back within a track, whatever the source does', () => {
    const event = fc.record({
      breaks: fc.boolean(),
      track: fc.constantFrom('video' as const, 'audio' as const),
      dts: fc.nat(10_000_000),
      wallMs: fc.nat(1_000_000),
    });
    fc.assert(
      fc.property(fc.array(event), (events) => {
        const timeline = new PushTimeline();
        const last = { video: 0, audio: 0 };
        for (const { breaks, track, dts, wallMs } of events) {
          if (breaks) timeline.break();
          const at = timeline.at(unit(track, dts, wallMs), 16_000);
          expect(at).toBeGreaterThanOrEqual(last[track]);
          last[track] = at;
        }
      }),
    );
  });
});
