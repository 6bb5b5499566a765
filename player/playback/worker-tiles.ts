// The tiles inside the worker: all of them draw at the same instant of the same clock, and a step of one moves them all.
import type { SegmentStore } from './segment-store.ts';
import { TileReader } from './tile-reader.ts';
import { WorkerClock } from './worker-clock.ts';
import type { FromPlaybackWorker, ToPlaybackWorker } from './worker-messages.ts';

export interface WorkerTilesOptions {
  readonly store: SegmentStore;
  /** Like `epochNow`. */
  readonly now: () => number;
  readonly post: (message: FromPlaybackWorker, transfer?: Transferable[]) => void;
  /** Runs a task with the next picture of the screen. */
  readonly nextFrame: (task: () => void) => void;
}

type ToTile = Exclude<ToPlaybackWorker, { kind: 'add' | 'clock' | 'listen' }>;

/** Of decoded pictures, over all tiles. */
const BUDGET_BYTES = 224 * 1024 * 1024;

export class WorkerTiles {
  readonly #options: WorkerTilesOptions;
  readonly #tiles = new Map<string, TileReader>();
  readonly #clock = new WorkerClock();
  #heard: string | null = null;
  #isAwake = false;

  constructor(options: WorkerTilesOptions) {
    this.#options = options;
  }

  take(message: ToPlaybackWorker): void {
    if (message.kind === 'add') this.#add(message);
    else if (message.kind === 'clock') {
      this.#clock.take(message.clock);
      this.#followClock();
    } else if (message.kind === 'listen') {
      this.#heard = message.tile;
      for (const [tile, reader] of this.#tiles) reader.setHeard(tile === message.tile);
    } else {
      const reader = this.#tiles.get(message.tile);
      if (reader) this.#tell(reader, message);
    }
    this.wake();
  }

  /** Looks at all tiles with the next picture of the screen, and on for as long as one of them has something to do. */
  wake(): void {
    if (this.#isAwake) return;
    this.#isAwake = true;
    this.#options.nextFrame(() => {
      this.#isAwake = false;
      // Drawing takes time: the last tile shows the instant of the first one all the same.
      const now = this.#options.now();
      let isBusy = false;
      for (const tile of this.#tiles.values()) isBusy = tile.tick(now) || isBusy;
      if (isBusy) this.wake();
    });
  }

  #add({ tile, canvas, windowMs }: Extract<ToPlaybackWorker, { kind: 'add' }>): void {
    const { store, now, post } = this.#options;
    const reader = new TileReader(
      {
        tile,
        canvas,
        windowMs,
        store,
        now,
        post: (message, transfer) => post(message, transfer),
        budgetBytes: () => BUDGET_BYTES / Math.max(1, this.#tiles.size),
        wake: () => this.wake(),
        onStepped: (at) => this.#stepped(tile, at),
      },
      this.#clock.state,
    );
    reader.setHeard(tile === this.#heard);
    this.#tiles.set(tile, reader);
  }

  /** The page follows; the picture does not wait for it. */
  #stepped(tile: string, at: number | null): void {
    if (at !== null) {
      this.#clock.stepTo(at);
      this.#followClock();
      this.wake();
    }
    this.#options.post({ kind: 'stepped', tile, at });
  }

  #followClock(): void {
    for (const reader of this.#tiles.values()) reader.setClock(this.#clock.state);
  }

  #tell(reader: TileReader, message: ToTile): void {
    switch (message.kind) {
      case 'remove':
        reader.close();
        this.#tiles.delete(message.tile);
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
}
