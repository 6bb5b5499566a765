// How much is fetched, set up and decoded until the picture that was asked for is there; decoders are worked by hand.
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { settlePromises } from '@vedette/foundation/time/fake-clock.fake.ts';
import { FragmentTimeline } from '../segments/fragment-timeline.ts';
import {
  segmentEntryAt,
  segmentServer,
  FakeDecoder,
  FRAME_MS,
  SEGMENT_FRAMES,
  stubDecoders,
} from './fake-decoder.fake.ts';
import { FrameBlocks } from './frame-block.ts';
import { SegmentStore } from '../segments/segment-store.ts';

const AT = 1_700_000_000_000;
const entry = segmentEntryAt(AT);

beforeEach(stubDecoders);
afterEach(() => void vi.unstubAllGlobals());

function stage() {
  const timeline = new FragmentTimeline(600_000);
  const server = segmentServer();
  const onReady = vi.fn<() => void>();
  const fault = vi.fn<() => void>();
  const blocks = new FrameBlocks({
    timeline,
    store: new SegmentStore(server.get),
    budgetBytes: () => 1e9,
    onUnsupported: fault,
    onMissing: fault,
    onReady,
  });
  const at = (picture: number): number => (AT + picture * FRAME_MS + 1) * 1000;
  const ask = (picture: number, of = entry) => blocks.frameAt(of, at(picture), 1);
  /** What a tile does until its picture is there. */
  const wait = async (picture: number, of = entry) => {
    ask(picture, of);
    await settleAll();
    await FakeDecoder.all.at(-1)?.work();
    return ask(picture, of);
  };
  return { server, blocks, ask, wait, onReady, fault };
}

/** Bodies of responses take turns of the event loop. */
async function settleAll(): Promise<void> {
  await vi.waitFor(async () => {
    await settlePromises();
    expect(FakeDecoder.all.at(-1)?.fed.length).toBeGreaterThan(0);
  });
}

test('decodes up to the requested frame first; the rest after it was drawn', async () => {
  const { wait, ask, onReady, server, fault } = stage();
  const picture = await wait(7);
  const [decoder] = FakeDecoder.all;
  expect(Math.abs((picture?.timestamp ?? 0) - (AT + 7 * FRAME_MS) * 1000)).toBeLessThanOrEqual(1);
  expect(decoder?.fed).toHaveLength(8);
  expect(server.asked.toSorted()).toEqual(['/w/0.mp4', `/w/${AT}-0-1.m4s`]);
  expect(onReady).toHaveBeenCalled();
  ask(7);
  await decoder?.work();
  expect(decoder?.fed).toHaveLength(SEGMENT_FRAMES);
  // Every other picture of the block is there without a request and without decoding.
  for (let other = 0; other < SEGMENT_FRAMES; other++) expect(ask(other)).not.toBeNull();
  expect(decoder?.fed).toHaveLength(SEGMENT_FRAMES);
  expect(server.asked).toHaveLength(2);
  expect(fault).not.toHaveBeenCalled();
});

test('a drained decoder is not configured again for the next block', async () => {
  const { wait, ask } = stage();
  await wait(3);
  ask(3);
  const [decoder] = FakeDecoder.all;
  await decoder?.work();
  await settlePromises();
  const elsewhere = segmentEntryAt(AT + 60_000);
  ask(3 + 60_000 / FRAME_MS, elsewhere);
  await vi.waitFor(() => expect(decoder?.fed).toHaveLength(SEGMENT_FRAMES + 4));
  expect(decoder?.setUps).toBe(1);
  expect(FakeDecoder.all).toHaveLength(1);
});

test('a decoder that holds frames is fed until it outputs the requested one', async () => {
  FakeDecoder.keepsBack = 2;
  const { wait } = stage();
  expect(await wait(7)).not.toBeNull();
  expect(FakeDecoder.all[0]?.fed).toHaveLength(10);
});
