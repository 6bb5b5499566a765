// Thumbnails decoded by the server (`/media/fragments/<ticket>/still`): one request at a time, the newest next.
import { PLAYBACK_WINDOW_S } from '@vedette/contract/limits.ts';
import type { RecordingSource } from './recording-source.ts';

const WINDOW_MS = PLAYBACK_WINDOW_S * 1000;
const WIDTH = 240;

export type OpenThumbnails = (
  source: RecordingSource,
  onThumbnail: (at: number, bitmap: ImageBitmap) => void,
) => Pick<ServerThumbnails, 'request'>;

export class ServerThumbnails {
  readonly #source: RecordingSource;
  readonly #onThumbnail: (at: number, bitmap: ImageBitmap) => void;
  readonly #addresses = new Map<number, string | null>();
  #wanted: number | null = null;
  #fetching: AbortController | null = null;

  constructor(source: RecordingSource, onStill: (at: number, bitmap: ImageBitmap) => void) {
    this.#source = source;
    this.#onThumbnail = onStill;
  }

  /** The picture of another instant from now on; null for none. */
  request(at: number | null): void {
    this.#wanted = at;
    if (at === null) {
      this.#fetching?.abort();
      this.#fetching = null;
    } else if (!this.#fetching) this.#next();
  }

  #next(): void {
    const at = this.#wanted;
    if (at === null) return;
    this.#wanted = null;
    const fetching = new AbortController();
    this.#fetching = fetching;
    const done = (): void => {
      if (this.#fetching !== fetching) return;
      this.#fetching = null;
      this.#next();
    };
    // A picture that does not come leaves the last one: it is help, not content.
    this.#fetch(Math.round(at), fetching.signal).then(done, done);
  }

  async #fetch(at: number, signal: AbortSignal): Promise<void> {
    const address = await this.#address(Math.floor(at / WINDOW_MS) * WINDOW_MS, signal);
    if (address === null) return;
    const answer = await fetch(`${address}/still?at=${at}&width=${WIDTH}`, { signal });
    if (!answer.ok) {
      this.#addresses.clear();
      return;
    }
    const shownAt = Number(answer.headers.get('x-vedette-at') ?? at);
    const bitmap = await createImageBitmap(await answer.blob());
    if (signal.aborted) bitmap.close();
    else this.#onThumbnail(shownAt, bitmap);
  }

  async #address(window: number, signal: AbortSignal): Promise<string | null> {
    const known = this.#addresses.get(window);
    if (known !== undefined) return known;
    const answer = await this.#source.getFragments({ startTime: window, endTime: window + WINDOW_MS }, signal);
    const address = answer.kind === 'window' ? answer.address : null;
    this.#addresses.set(window, address);
    return address;
  }
}
