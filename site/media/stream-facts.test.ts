// The facts of a stream follow what it carries, whatever the device described when it was added.
import type { MediaFormat } from '@vedette/media/stream/stream.ts';
import { expect, test } from 'vitest';
import { StreamFacts } from './stream-facts.ts';

const described = { quality: 0, codec: 'h264', width: 640, height: 360, fps: 25, kbps: null, audio: 'pcma' } as const;
const carrying = (codec: 'h264' | 'h265' | 'mjpeg', width: number, height: number): MediaFormat => ({
  video: { codec, codecString: codec, width, height, config: Buffer.alloc(0) },
  audio: null,
});

test('a camera that went over to H.265 is listed as such, and asked anew once', () => {
  let open: MediaFormat | null = carrying('h264', 640, 360);
  const facts = new StreamFacts((key) => (key === 'cam/1/0' ? open : null));
  const follow = () => facts.follow('cam', 1, [described]);
  expect(follow()).toEqual({ streams: [described], hasChanged: false });
  open = carrying('h265', 1920, 1080);
  const expected = { ...described, codec: 'h265', width: 1920, height: 1080 };
  expect(follow()).toEqual({ streams: [expected], hasChanged: true });
  expect(follow()).toEqual({ streams: [expected], hasChanged: false });
  // While nobody has it open, the device's own description stands.
  open = null;
  expect(follow().streams).toEqual([described]);
});

test('Motion JPEG has the size of its pictures, also when it is not open any more', () => {
  let open: MediaFormat | null = carrying('mjpeg', 1280, 720);
  const facts = new StreamFacts(() => open);
  const jpeg = { ...described, codec: 'mjpeg', width: 0, height: 0 };
  expect(facts.follow('cam', 1, [jpeg]).streams).toMatchObject([{ width: 1280, height: 720 }]);
  open = null;
  expect(facts.follow('cam', 1, [jpeg])).toMatchObject({ streams: [{ width: 1280, height: 720 }], hasChanged: false });
});
