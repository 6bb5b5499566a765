// The generator thread: runs replays, a batch of frames of each in turn, and hands the packets over.

import { setPriority } from 'node:os';
import { setImmediate as nextTurn, setTimeout as after } from 'node:timers/promises';
import { type MessagePort, parentPort } from 'node:worker_threads';
import { CameraVideo } from '../scene/camera-video.ts';
import { MacroblockMemo } from '../scene/codec/macroblock-memo.ts';
import { sceneCatalogue } from '../scene/scene-catalogue.ts';
import {
  BATCHES_AHEAD,
  type ReplayRequest,
  replayShape,
  type FromGenerator,
  FRAME_MS,
  type ToGenerator,
} from './generator-messages.ts';
import { ReplayStream } from './replay-stream.ts';
import { utcOffsetIn } from './utc-offsets.ts';

const BATCH_FRAMES = 60;
const CACHED_SLICES = 64;
/** 72 MiB while there are replays; all share it. */
const MEMO_ENTRIES = 65_536;
/** Live pictures come first, and so does whoever watches them on this machine; more than this and a busy machine fills nothing. */
const NICENESS = 5;

interface Running {
  /** Batches that may be made before the client takes one. */
  credit: number;
  isStopped: boolean;
  wake: () => void;
}

const replays = new Map<number, Running>();
const memo = new MacroblockMemo(MEMO_ENTRIES);

function replayStreamOf(order: ReplayRequest): ReplayStream {
  const video = new CameraVideo({
    scene: sceneCatalogue[order.scene],
    variant: order.variant,
    name: order.label,
    streamName: 'recorded',
    utcOffset: (utcMs) => utcOffsetIn(order.utcOffsets, utcMs),
    shape: replayShape,
    cacheLimit: CACHED_SLICES,
    bandRows: 4,
    memo,
  });
  return new ReplayStream({ range: order.range, seed: order.seed, video });
}

function batchOf(reel: ReplayStream, limit: number): { frames: Uint8Array<ArrayBuffer>; pictures: number } {
  const parts: Buffer[] = [];
  let pictures = 0;
  for (; pictures < limit && !reel.isOver; pictures++) parts.push(...reel.next());
  if (reel.isOver) parts.push(reel.bye());
  // Not from the pool of small buffers: this memory is given away.
  const frames = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    frames.set(part, at);
    at += part.length;
  }
  return { frames, pictures };
}

async function play(port: MessagePort, replay: number, order: ReplayRequest, running: Running): Promise<void> {
  const reel = replayStreamOf(order);
  const { scale } = order;
  let before = reel.at;
  for (let isLast = false; !isLast; ) {
    while (running.credit === 0 && !running.isStopped) await new Promise<void>((resolve) => (running.wake = resolve));
    if (running.isStopped) return;
    const { frames, pictures } = batchOf(reel, scale === null ? BATCH_FRAMES : 1);
    isLast = reel.isOver;
    running.credit--;
    const batch: FromGenerator = { kind: 'batch', replay, frames, pictures, isLast };
    port.postMessage(batch, [frames.buffer]);
    if (scale === null) await nextTurn();
    else await after(Math.min(reel.at - before, FRAME_MS) / scale);
    before = reel.at;
  }
}

async function run(port: MessagePort, replay: number, order: ReplayRequest): Promise<void> {
  const running: Running = { credit: BATCHES_AHEAD, isStopped: false, wake: () => undefined };
  replays.set(replay, running);
  try {
    await play(port, replay, order, running);
  } catch (error) {
    const reason = error instanceof Error ? (error.stack ?? error.message) : String(error);
    const failed: FromGenerator = { kind: 'failed', replay, reason };
    port.postMessage(failed);
  } finally {
    replays.delete(replay);
  }
}

function receive(port: MessagePort, message: ToGenerator): void {
  if (message.kind === 'play') {
    void run(port, message.replay, message.order);
    return;
  }
  const running = replays.get(message.replay);
  if (running === undefined) return;
  if (message.kind === 'taken') running.credit++;
  else running.isStopped = true;
  running.wake();
}

// Linux alone gives each thread its own priority; elsewhere this would slow the live pictures too.
if (process.platform === 'linux') setPriority(NICENESS);
if (parentPort !== null) {
  const port = parentPort;
  port.on('message', (message: ToGenerator) => receive(port, message));
}
