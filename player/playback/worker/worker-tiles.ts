// The tiles inside the worker: all of them draw at the same instant of the same clock, and a step of one moves them all.
import { errorMessage } from '@vedette/foundation/errors/error-message.ts';
import { positionAt } from './clock-state.ts';
import type { SegmentStore } from '../segments/segment-store.ts';
import { LATE_MS, TileReader } from './tile-reader.ts';
import { WorkerClock } from './worker-clock.ts';
import type { FromPlaybackWorker, TileFrame, ToPlaybackWorker } from './worker-messages.ts';

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
  /** The instant that was drawn last, and the jump of the clock it belongs to. */
  #drawn = { at: 0, jump: -1 };

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
      this.#tick();
    });
  }

  /** Drawing takes time: the last tile shows the instant of the first one all the same. */
  #tick(): void {
    const clockAt = positionAt(this.#clock.state, this.#options.now());
    const at = this.#together(clockAt);
    this.#drawn = { at, jump: this.#clock.state.jump };
    let isBusy = false;
    for (const tile of this.#tiles.values()) isBusy = tick(tile, at, clockAt) || isBusy;
    this.#show();
    if (isBusy) this.wake();
  }

  /** In one message: the page shows them all with one picture of the screen. */
  #show(): void {
    const { jump } = this.#clock.state;
    const pictures: TileFrame[] = [];
    for (const [tile, reader] of this.#tiles) {
      const painted = reader.takeFrame();
      if (painted) pictures.push({ tile, jump, ...painted });
    }
    if (pictures.length === 0) return;
    this.#options.post(
      { kind: 'pictures', pictures },
      pictures.map(({ bitmap }) => bitmap),
    );
  }

  /** The newest instant up to the clock's that all tiles have decoded: a short wait for one of them shows in none. */
  #together(clockAt: number): number {
    const { isPlaying, rate, jump } = this.#clock.state;
    if (!isPlaying || rate < 0) return clockAt;
    let at = clockAt;
    for (const { reachMs } of this.#tiles.values()) {
      // One that is further behind is waited for by the clock, or left to catch up.
      if (reachMs !== null && reachMs > clockAt - 2 * LATE_MS * rate) at = Math.min(at, reachMs);
    }
    // Never back.
    return jump === this.#drawn.jump ? Math.max(at, Math.min(this.#drawn.at, clockAt)) : at;
  }

  #add({ tile, windowMs }: Extract<ToPlaybackWorker, { kind: 'add' }>): void {
    const { store, now, post } = this.#options;
    const reader = new TileReader(
      {
        tile,
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
      case 'again':
        return reader.again();
      case 'size':
        return reader.setSize(message.width, message.height);
      case 'window':
        return reader.setWindow(message.window, message.reply);
      case 'step':
        return reader.step(message.direction);
      case 'thin':
        return reader.setThin(message.isThin);
      case 'still':
        return reader.setThumbnail(message.at);
    }
  }
}

/** What one tile stumbles over stops neither the others nor the clock of its own. */
function tick(tile: TileReader, at: number, clockAt: number): boolean {
  try {
    return tile.tick(at, clockAt);
  } catch (error) {
    tile.fail(errorMessage(error));
    return false;
  }
}
