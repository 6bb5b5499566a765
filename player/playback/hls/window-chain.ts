// The windows that playback has requested so far, as one playlist that grows at its end.
import { type HlsSegment, isAudioLeftOut, joinWindows, readPlaylist, writePlaylist } from './hls-playlist.ts';
import type { PlaybackSource } from './playback-source.ts';
import type { PlayerClock } from '../../core/player-clock.ts';

export interface WindowChainOptions {
  readonly source: PlaybackSource;
  readonly clock: PlayerClock;
  readonly windowMs: number;
}

export type ChainStart =
  | { readonly kind: 'at'; readonly at: number }
  | { readonly kind: 'none' }
  | { readonly kind: 'refused'; readonly code: number };

/** How often the end of what is recorded is looked at again: it may be growing. */
const END_RECHECK_MS = 5000;

export class WindowChain {
  readonly #options: WindowChainOptions;
  #segments: readonly HlsSegment[] = [];
  #end = 0;
  #isBusy = false;
  #noMoreUntil = 0;
  #generation = 0;
  #isAudioLeftOut = false;

  constructor(options: WindowChainOptions) {
    this.#options = options;
  }

  /** Nothing is recorded behind the last window, as far as known. */
  get isComplete(): boolean {
    return this.#noMoreUntil > 0;
  }

  /** Of any window so far. */
  get isAudioLeftOut(): boolean {
    return this.#isAudioLeftOut;
  }

  text(): string {
    return writePlaylist(this.#segments);
  }

  /** Media time in the playlist of an instant that it holds, seconds. */
  mediaTimeOf(at: number): number {
    let start = 0;
    for (const segment of this.#segments) {
      if (at < segment.wallMs + segment.durationS * 1000) return start + Math.max(0, (at - segment.wallMs) / 1000);
      start += segment.durationS;
    }
    return start;
  }

  clear(): void {
    this.#generation++;
    this.#segments = [];
    this.#end = 0;
    this.#isBusy = false;
    this.#noMoreUntil = 0;
    this.#isAudioLeftOut = false;
  }

  /** The window of an instant, or of the next recorded one. */
  async begin(at: number, signal: AbortSignal): Promise<ChainStart> {
    this.clear();
    const start = await this.#options.source.nextRecorded(at, signal);
    signal.throwIfAborted();
    if (start === null) return { kind: 'none' };
    const refusal = await this.#add(start, signal);
    if (refusal !== null) return { kind: 'refused', code: refusal };
    const [first] = this.#segments;
    return first ? { kind: 'at', at: Math.max(start, first.wallMs) } : { kind: 'none' };
  }

  /** Adds the following window once `until` passes the end; answers a refusing code, or null. */
  async extend(until: number, signal: AbortSignal): Promise<number | null> {
    const { clock, source } = this.#options;
    if (this.#isBusy || this.#segments.length === 0 || until < this.#end || clock.wallMs() < this.#noMoreUntil)
      return null;
    const generation = this.#generation;
    this.#isBusy = true;
    try {
      const next = await source.nextRecorded(this.#end, signal);
      if (generation !== this.#generation) return null;
      if (next === null) {
        this.#noMoreUntil = clock.wallMs() + END_RECHECK_MS;
        return null;
      }
      return await this.#add(next, signal);
    } finally {
      if (generation === this.#generation) this.#isBusy = false;
    }
  }

  async #add(start: number, signal: AbortSignal): Promise<number | null> {
    const { source, clock, windowMs } = this.#options;
    const generation = this.#generation;
    const answer = await source.getWindow(
      { startTime: Math.floor(start), endTime: Math.floor(start) + windowMs },
      signal,
    );
    signal.throwIfAborted();
    if (generation !== this.#generation) return null;
    if (answer.kind === 'refused') return answer.code;
    if (answer.kind === 'window' && isAudioLeftOut(answer.playlist)) this.#isAudioLeftOut = true;
    const segments = answer.kind === 'none' ? [] : readPlaylist(answer.playlist, answer.baseUrl);
    const joined = joinWindows(this.#segments, segments);
    const grew = joined.length > this.#segments.length;
    this.#segments = joined;
    const last = joined.at(-1);
    this.#end = last ? last.wallMs + last.durationS * 1000 : start;
    this.#noMoreUntil = grew ? 0 : clock.wallMs() + END_RECHECK_MS;
    return null;
  }
}
