// The worker of playback: holds the tiles of a page, and lets all of them draw at the same instant of the same clock.
import { type ClockState, epochNow } from './clock-state.ts';
import { SegmentStore } from './segment-store.ts';
import { TileReader } from './tile-reader.ts';
import type { FromPlaybackWorker, ToPlaybackWorker } from './worker-messages.ts';

/** What the types of the DOM do not hold: the inside of a dedicated worker. */
interface WorkerScope {
  postMessage(message: FromPlaybackWorker, transfer: Transferable[]): void;
  requestAnimationFrame(callback: () => void): number;
  addEventListener(type: 'message', listener: (event: MessageEvent<ToPlaybackWorker>) => void): void;
}

/** Of decoded pictures, over all tiles. */
const BUDGET_BYTES = 224 * 1024 * 1024;

const scope = globalThis as unknown as WorkerScope;
const store = new SegmentStore();
const tiles = new Map<string, TileReader>();
let clock: ClockState = { wallMs: 0, atMs: 0, rate: 1, isRunning: false, isPlaying: false, jump: 0 };
let frame: number | null = null;
let heard: string | null = null;

const post = (message: FromPlaybackWorker, transfer: Transferable[] = []): void => scope.postMessage(message, transfer);

function wake(): void {
  frame ??= scope.requestAnimationFrame(() => {
    frame = null;
    let isBusy = false;
    for (const tile of tiles.values()) isBusy = tile.tick() || isBusy;
    if (isBusy) wake();
  });
}

function add({ tile, canvas, windowMs }: Extract<ToPlaybackWorker, { kind: 'add' }>): void {
  const budgetBytes = (): number => BUDGET_BYTES / Math.max(1, tiles.size);
  const reader = new TileReader({ tile, canvas, windowMs, store, now: epochNow, post, budgetBytes, wake }, clock);
  reader.setHeard(tile === heard);
  tiles.set(tile, reader);
}

function take(message: ToPlaybackWorker): void {
  if (message.kind === 'add') add(message);
  else if (message.kind === 'clock') {
    clock = message.clock;
    for (const reader of tiles.values()) reader.setClock(clock);
  } else if (message.kind === 'listen') {
    heard = message.tile;
    for (const [tile, reader] of tiles) reader.setHeard(tile === heard);
  } else {
    const reader = tiles.get(message.tile);
    if (reader) tell(reader, message);
  }
}

function tell(reader: TileReader, message: Exclude<ToPlaybackWorker, { kind: 'add' | 'clock' | 'listen' }>): void {
  switch (message.kind) {
    case 'remove':
      reader.close();
      tiles.delete(message.tile);
      return;
    case 'clear':
      return reader.clear();
    case 'size':
      return reader.setSize(message.width, message.height);
    case 'window':
      return reader.setWindow(message.window, message.reply);
    case 'step':
      return reader.step(message.direction);
    case 'thin':
      return reader.setThin(message.isThin);
    case 'still':
      return reader.setStill(message.at);
  }
}

scope.addEventListener('message', ({ data }) => {
  take(data);
  wake();
});
