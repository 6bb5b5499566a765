// The worker of playback: decodes and paints the tiles of a page.
import { epochNow } from './clock-state.ts';
import { SegmentStore } from '../segments/segment-store.ts';
import type { FromPlaybackWorker, ToPlaybackWorker } from './worker-messages.ts';
import { WorkerTiles } from './worker-tiles.ts';

/** What the types of the DOM do not hold: the inside of a dedicated worker. */
interface WorkerScope {
  postMessage(message: FromPlaybackWorker, transfer: Transferable[]): void;
  requestAnimationFrame(callback: () => void): number;
  addEventListener(type: 'message', listener: (event: MessageEvent<ToPlaybackWorker>) => void): void;
}

const scope = globalThis as unknown as WorkerScope;
const tiles = new WorkerTiles({
  store: new SegmentStore(),
  now: epochNow,
  post: (message, transfer = []) => scope.postMessage(message, transfer),
  nextFrame: (task) => scope.requestAnimationFrame(task),
});

scope.addEventListener('message', ({ data }) => tiles.take(data));
