// Proves that what is kept for clients to come is bounded, whatever a camera does with its keyframes.
import { expect, test } from 'vitest';
import { clip } from '../recorder/synthetic-stream.fixture.ts';
import { GOP_LIMITS } from '../stream/gop-cache.ts';
import { buildLiveInit } from '../stream/live-fragment.ts';
import type { SharedStream } from '../stream/shared-stream.ts';
import { RestreamFeed } from './restream-feed.ts';

test('an endless GOP is not cached: a new client starts at the next keyframe', async () => {
  const stream = { addViewer: () => () => undefined, gop: () => [] } as unknown as SharedStream;
  const counters = { packets: 0, bytes: 0, skippedUnits: 0, unsendableUnits: 0 };
  const feed = new RestreamFeed({ stream, random32: () => 7, monotonicMs: () => 0, counters });
  feed.init(buildLiveInit(clip.format));
  const picture = Buffer.alloc(1024 * 1024);
  picture.writeUInt32BE(picture.length - 4, 0);
  let dts = 0;
  const show = (isKey: boolean): void => {
    dts += 3600;
    const unit = { track: 'video', data: picture, isKey, dts, ctsOffset: 0, wallMs: dts } as const;
    feed.fragment({ kind: 'video', bytes: picture, unit, isKey, wallMs: dts, room: 0, framed: null });
  };
  const received: number[] = [];
  const join = async (): Promise<number> => {
    received.length = 0;
    const sender = {
      send: (bytes: Buffer) => received.push(bytes.length),
      queuedBytes: 0,
      drained: () => Promise.resolve(),
      isClosed: false,
      end: () => undefined,
    };
    const playback = feed.play(sender, { onEnd: () => undefined });
    await new Promise((resolve) => setImmediate(resolve));
    const units = received.length;
    playback.stop();
    return units;
  };
  show(true);
  show(false);
  expect(await join()).toBe(2);
  for (let bytes = 0; bytes <= GOP_LIMITS.bytes; bytes += picture.length) show(false);
  expect(await join()).toBe(0);
  show(true);
  expect(await join()).toBe(1);
});
