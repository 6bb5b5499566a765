// The page's end of the playback worker: one for all tiles of a page, opened with the first of them.
import type { ClockState } from './worker/clock-state.ts';
import { AudioSchedule } from './audio-schedule.ts';
import type { FromPlaybackWorker, FromTile, TileFrame, ToPlaybackWorker } from './worker/worker-messages.ts';

type Listener = (message: FromTile | PresentedFrame) => void;

export type PresentedFrame = { readonly kind: 'picture' } & TileFrame;

export class PlaybackLink {
  readonly #worker: Worker;
  readonly #audio = new AudioSchedule();
  readonly #tiles = new Map<string, Listener>();
  #clock: ClockState | null = null;
  #heard: string | null = null;

  constructor(
    worker: Worker = new Worker(new URL('./worker/playback.worker.ts', import.meta.url), { type: 'module' }),
  ) {
    this.#worker = worker;
    worker.addEventListener('message', ({ data }: MessageEvent<FromPlaybackWorker>) => {
      if (data.kind === 'pictures') this.#show(data.pictures);
      else if (data.kind === 'sound') {
        if (data.tile === this.#heard && this.#clock) this.#audio.play(data, this.#clock);
      } else this.#tiles.get(data.tile)?.(data);
    });
  }

  /** In one task, so that no picture of the screen falls in between. */
  #show(pictures: readonly TileFrame[]): void {
    for (const picture of pictures) {
      const listener = this.#tiles.get(picture.tile);
      if (listener) listener({ kind: 'picture', ...picture });
      else picture.bitmap.close();
    }
  }

  open(tile: string, listener: Listener): void {
    this.#tiles.set(tile, listener);
  }

  close(tile: string): void {
    this.#tiles.delete(tile);
    this.send({ kind: 'remove', tile });
  }

  send(message: ToPlaybackWorker, transfer: Transferable[] = []): void {
    this.#worker.postMessage(message, transfer);
  }

  setClock(clock: ClockState): void {
    if (clock === this.#clock) return;
    this.#clock = clock;
    this.#audio.follow(clock);
    this.send({ kind: 'clock', clock });
  }

  /** At most one tile is heard: the last one that was asked for. */
  listen(tile: string, isHeard: boolean): void {
    const heard = isHeard ? tile : this.#heard === tile ? null : this.#heard;
    if (heard === this.#heard) return;
    this.#heard = heard;
    this.#audio.clear();
    this.send({ kind: 'listen', tile: heard });
  }

  end(): void {
    this.#audio.close();
    this.#worker.terminate();
  }
}
