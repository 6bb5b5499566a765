// Times of a pushed stream: milliseconds that begin at 0 and never go back, whatever the source's own times do.
import type { AccessUnit } from '../stream/stream.ts';

const VIDEO_TICKS_PER_MS = 90;

export class PushTimeline {
  /** Source time and pushed time of the same instant. */
  #anchor: { readonly sourceMs: number; readonly pushedMs: number } | null = null;
  #newest: { readonly pushedMs: number; readonly wallMs: number } | null = null;
  readonly #lastOfTrack = { video: 0, audio: 0 };

  /** The source's times may restart with the next unit. */
  break(): void {
    this.#anchor = null;
  }

  /** Decode time of the unit. `sampleRate`: of its audio. */
  at(unit: AccessUnit, sampleRate: number): number {
    const sourceMs = unit.track === 'video' ? unit.dts / VIDEO_TICKS_PER_MS : (unit.dts * 1000) / sampleRate;
    this.#anchor ??= { sourceMs, pushedMs: this.#restart(unit.wallMs) };
    const exactMs = Math.round(this.#anchor.pushedMs + sourceMs - this.#anchor.sourceMs);
    const pushedMs = Math.max(exactMs, this.#lastOfTrack[unit.track]);
    this.#lastOfTrack[unit.track] = pushedMs;
    if (this.#newest === null || pushedMs >= this.#newest.pushedMs) this.#newest = { pushedMs, wallMs: unit.wallMs };
    return pushedMs;
  }

  /** As long after the newest unit as it was captured after it. */
  #restart(wallMs: number): number {
    return this.#newest === null ? 0 : this.#newest.pushedMs + Math.max(1, wallMs - this.#newest.wallMs);
  }
}
