// Forward playback: an instant far behind its keyframe is reached, and a decoder that is slow to begin is left to it.
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { settlePromises } from '@vedette/foundation/time/fake-clock.fake.ts';
import { FragmentTimeline } from '../segments/fragment-timeline.ts';
import { FakeDecoder, stubDecoders } from './fake-decoder.fake.ts';
import { DecodePipeline } from './decode-pipeline.ts';
import type { LoadedSegment, SegmentStore } from '../segments/segment-store.ts';

const WINDOW_MS = 600_000;
const AT = Math.ceil(1_700_000_000_000 / WINDOW_MS) * WINDOW_MS;
const PICTURES = 10;
const PICTURE_MS = 1000;
const entry = { name: 'a-0-1', id: 'a', startMs: AT, endMs: AT + PICTURES * PICTURE_MS, init: '0', base: '/w/' };

beforeEach(stubDecoders);
afterEach(() => void vi.unstubAllGlobals());

/** One picture a second, the first of them the only keyframe. */
function runOf(
  times = Array.from({ length: PICTURES }, (_, index) => index * PICTURE_MS),
  ms = PICTURE_MS,
): DecodePipeline {
  const pictures = times.map((time, index) => ({
    atUs: (AT + time) * 1000,
    durationUs: ms * 1000,
    isKey: index === 0,
    data: new Uint8Array(4),
  }));
  const video = { codec: 'avc1.640028', description: new Uint8Array(7), codedWidth: 64, codedHeight: 36 };
  const setup = { tracks: [], video, audio: null };
  const loaded: LoadedSegment = { entry, setup, video: pictures, audio: [], isReordered: false, bytes: 0 };
  const timeline = new FragmentTimeline(WINDOW_MS);
  timeline.put(AT, [entry]);
  return new DecodePipeline({
    timeline,
    store: { segment: () => Promise.resolve(loaded) } as unknown as SegmentStore,
    onUnsupported: (codec) => expect.fail(codec),
    onMissing: (_entry, error) => expect.fail(String(error)),
    onReady: () => undefined,
  });
}

/** Capture instant of what stands there after so many frames of the screen, with as many turns of the decoder. */
async function shownAfter(run: DecodePipeline, at: number, frames: number, isWorking = true): Promise<number | null> {
  let video: VideoFrame | null = null;
  for (let frame = 0; frame < frames; frame++) {
    video = run.frameAt(entry, at * 1000);
    await settlePromises();
    if (isWorking) for (const decoder of FakeDecoder.all) await decoder.work();
  }
  return video && video.timestamp / 1000;
}

test.each([0, 2500, 3500, 7200, 9300])('shows an instant %d ms after the only keyframe', async (later) => {
  const whole = Math.floor(later / PICTURE_MS) * PICTURE_MS;
  expect(await shownAfter(runOf(), AT + later, 20)).toBe(AT + whole);
});

test('dropped frames do not block: the previous one stays until the next is due', async () => {
  const behind = Array.from({ length: 10 }, (_, index) => 1900 + index * 100);
  const run = runOf([0, 100, ...behind], 100);
  expect(await shownAfter(run, AT + 1500, 20)).toBe(AT + 100);
  expect(run.isAt((AT + 1500) * 1000, 0)).toBe(true);
  expect(run.isAt((AT + 1950) * 1000, 0)).toBe(false);
});

test('a decoder that is slow with its first frame is fed once', async () => {
  const run = runOf();
  expect(await shownAfter(run, AT + 300, 20, false)).toBeNull();
  const [decoder] = FakeDecoder.all;
  expect(decoder?.setUps).toBe(1);
  expect(decoder?.fed).toEqual([...new Set(decoder?.fed)]);
  expect(await shownAfter(run, AT + 300, 2)).toBe(AT);
});
