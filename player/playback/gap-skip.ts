// Skips gaps: if no tile has a recording at the clock, playback continues at the nearest one in its direction, or stops at the end.
import { errorMessage } from '@vedette/foundation/errors/error-message.ts';
import type { PlayerClock } from '../core/player-clock.ts';
import type { RecordingSource } from './recording-source.ts';
import type { PlaybackClock } from './playback-clock.ts';
import type { TileStatus } from './worker/worker-messages.ts';

export interface GapSearch {
  readonly source: RecordingSource;
  readonly status: TileStatus;
}

export type RecordingEnd = { readonly kind: 'ended' } | { readonly kind: 'empty'; readonly at: number };

export interface GapSkipOptions {
  readonly clock: PlaybackClock;
  readonly time: PlayerClock;
  readonly onFound: (from: number, to: number) => void;
  /** `end` changed, or it is time to search again. */
  readonly onChange: () => void;
  readonly onFailure: (message: string) => void;
}

/** Interval of searching again at the end of the recordings, which may grow. */
const RECHECK_MS = 5000;
/** Recordings closer than this may be loading already: waits `SOON_MS` first. */
const NEAR_MS = 400;
const SOON_MS = 500;
/** Holder of the clock. */
const HOLDER = ' no footage';

export class GapSkip {
  readonly #options: GapSkipOptions;
  #search: AbortController | null = null;
  #end: RecordingEnd | null = null;
  /** Position at which it waited for near recordings. */
  #waitedAt: number | null = null;

  constructor(options: GapSkipOptions) {
    this.#options = options;
  }

  /** Nothing more is recorded in this direction, as far as known. */
  get end(): RecordingEnd | null {
    return this.#end;
  }

  /** Starts a search unless one is running. `isNewPlace`: nothing was shown since the last seek. */
  look(tiles: readonly GapSearch[], isNewPlace: boolean): void {
    if (this.#search) return;
    const { clock, onFound, onFailure } = this.#options;
    const search = new AbortController();
    this.#search = search;
    clock.hold(HOLDER);
    const direction = clock.isPlaying && clock.rate < 0 ? -1 : 1;
    const from = clock.position;
    nextRecording(tiles, from, direction, search.signal).then(
      (to) => {
        if (search.signal.aborted) return;
        if (to === null) this.#stand(this.#end ?? (isNewPlace ? { kind: 'empty', at: from } : { kind: 'ended' }));
        else if (Math.abs(to - from) < NEAR_MS && this.#waitedAt !== from) {
          this.#waitedAt = from;
          this.#again(SOON_MS);
        } else onFound(from, direction === 1 ? to : to - 1);
      },
      (error: unknown) => {
        if (search.signal.aborted) return;
        this.cancel();
        onFailure(errorMessage(error));
      },
    );
  }

  /** The clock moved, or a tile has recordings. */
  cancel(): void {
    this.#search?.abort();
    this.#search = null;
    this.#end = null;
    this.#waitedAt = null;
    this.#options.clock.release(HOLDER);
  }

  #stand(end: RecordingEnd): void {
    this.#end = end;
    this.#again(RECHECK_MS);
    this.#options.onChange();
  }

  #again(afterMs: number): void {
    const search = this.#search;
    const cancel = this.#options.time.after(afterMs, () => {
      if (this.#search !== search) return;
      this.#search = null;
      this.#options.onChange();
    });
    search?.signal.addEventListener('abort', cancel);
  }
}

/** Null if nothing is recorded in that direction. Unreachable sources are ignored, unless all are. */
async function nextRecording(
  tiles: readonly GapSearch[],
  at: number,
  direction: 1 | -1,
  signal: AbortSignal,
): Promise<number | null> {
  const asked = await Promise.allSettled(
    tiles.map(async ({ source, status }) => {
      const known = status.kind === 'gap' ? (direction === 1 ? status.to : status.from) : null;
      if (known !== null) return known;
      return direction === 1 ? source.nextRecorded(at, signal) : source.previousRecorded(at, signal);
    }),
  );
  const failure = asked.find((one) => one.status === 'rejected');
  if (failure && asked.every((one) => one.status === 'rejected')) throw failure.reason;
  const found = asked.flatMap((one) => (one.status === 'fulfilled' && one.value !== null ? [one.value] : []));
  if (found.length === 0) return null;
  return direction === 1 ? Math.min(...found) : Math.max(...found);
}
