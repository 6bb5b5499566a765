// The worker's copy of the page's clock. Steps are counted here, so that a picture does not wait for the page to hear of it. Pure.
import type { ClockState } from './clock-state.ts';

export class WorkerClock {
  #state: ClockState = { wallMs: 0, atMs: 0, rate: 1, isRunning: false, isPlaying: false, jump: 0 };
  /** Instants stepped to that the page did not follow yet, oldest first. */
  #ahead: number[] = [];

  get state(): ClockState {
    return this.#state;
  }

  /** What the page says. Behind steps that it has not heard of, its position is an old one. */
  take(next: ClockState): void {
    if (this.#ahead[0] === next.wallMs) this.#ahead.shift();
    else if (next.jump !== this.#state.jump || next.isPlaying) this.#ahead = [];
    const wallMs = this.#ahead.at(-1) ?? next.wallMs;
    this.#state = { ...next, wallMs };
  }

  /** To a neighbouring picture, of a clock that stands. */
  stepTo(wallMs: number): void {
    if (this.#state.isPlaying) return;
    this.#ahead.push(wallMs);
    this.#state = { ...this.#state, wallMs };
  }
}
