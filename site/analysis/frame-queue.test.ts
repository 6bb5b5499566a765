// The newest frame of each channel waits, and channels take turns.
import { expect, it } from 'vitest';
import { FrameQueue } from './frame-queue.ts';

const at = (wallMs: number) => ({ width: 1, height: 1, rgb: Buffer.alloc(3), region: null, wallMs });

it('keeps the newest frame of each channel, and gives channels their turn', () => {
  const queue = new FrameQueue();
  expect([queue.offer('a', at(1)), queue.offer('b', at(2)), queue.offer('a', at(3))]).toEqual([false, false, true]);
  expect(queue.take()).toEqual({ channelId: 'a', frame: at(3) });
  queue.offer('a', at(4));
  expect(queue.take()?.channelId).toBe('b');
  expect(queue.take()?.frame.wallMs).toBe(4);
  expect(queue.take()).toBeNull();
});

it('forgets a channel that was withdrawn', () => {
  const queue = new FrameQueue();
  queue.offer('a', at(1));
  queue.withdraw('a');
  expect(queue.take()).toBeNull();
});
