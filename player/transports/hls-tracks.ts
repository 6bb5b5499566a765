// What edge intelligence follows, asked for beside the playlist of a live stream by HLS while somebody wants it.
import { HLS_TRACKS_NAME, type HlsTracks, type LiveTracks } from '@vedette/contract/media-wire.ts';

export interface HlsTracksOptions {
  /** Of the playlist. */
  readonly url: string;
  readonly onTracks: (tracks: LiveTracks) => void;
  readonly ask?: (url: string, signal: AbortSignal) => Promise<Response>;
}

/** Frames by HLS come seconds later than what was seen in them. */
const ASK_EVERY_MS = 1000;

export class HlsTrackQuestions {
  readonly #options: HlsTracksOptions;
  #life: AbortController | null = null;
  #afterMs = 0;

  constructor(options: HlsTracksOptions) {
    this.#options = options;
  }

  follow(isWanted: boolean): void {
    if (isWanted === (this.#life !== null)) return;
    this.#life?.abort();
    this.#life = isWanted ? new AbortController() : null;
    if (this.#life) void this.#run(this.#life.signal);
  }

  async #run(signal: AbortSignal): Promise<void> {
    // An older site does not know them: nothing more is asked.
    while (!signal.aborted && (await this.#ask(signal))) await waited(ASK_EVERY_MS, signal);
  }

  /** False: no more. */
  async #ask(signal: AbortSignal): Promise<boolean> {
    const url = new URL(HLS_TRACKS_NAME, new URL(this.#options.url, location.href));
    url.searchParams.set('after', String(this.#afterMs));
    try {
      const answer = await (this.#options.ask ?? fetchTracks)(url.href, signal);
      if (answer.status >= 400 && answer.status < 500) return false;
      if (answer.ok) this.#take((await answer.json()) as HlsTracks, signal);
    } catch {
      // The network is away: the playlist says so, and the next question may come through.
    }
    return true;
  }

  #take({ frames }: HlsTracks, signal: AbortSignal): void {
    if (signal.aborted) return;
    for (const frame of frames) {
      this.#afterMs = frame.at;
      this.#options.onTracks(frame);
    }
  }
}

function fetchTracks(url: string, signal: AbortSignal): Promise<Response> {
  return fetch(url, { signal, cache: 'no-store' });
}

async function waited(ms: number, signal: AbortSignal): Promise<void> {
  await new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      resolve();
    });
  });
}
