// The shared clock of many tiles: play, pause, seek, rate, and pausing while a tile is waited for.
import type { PlayerClock } from '../core/player-clock.ts';
import { type ClockState, positionAt } from './worker/clock-state.ts';

export class PlaybackClock {
  readonly #time: PlayerClock;
  readonly #listeners = new Set<() => void>();
  readonly #holders = new Set<string>();
  #state: ClockState;

  constructor(time: PlayerClock, wallMs = 0) {
    this.#time = time;
    this.#state = { wallMs, atMs: time.wallMs(), rate: 1, isRunning: false, isPlaying: false, jump: 0 };
  }

  get state(): ClockState {
    return this.#state;
  }

  /** Wall clock of the recordings now, ms. */
  get position(): number {
    return positionAt(this.#state, this.#time.wallMs());
  }

  /** What the user asked for; a tile that is waited for does not change it. */
  get isPlaying(): boolean {
    return this.#state.isPlaying;
  }

  get rate(): number {
    return this.#state.rate;
  }

  /** Told after every change of `state` and `isPlaying`. */
  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  play(): void {
    this.#move({ isPlaying: true });
  }

  pause(): void {
    this.#move({ isPlaying: false });
  }

  seek(wallMs: number): void {
    this.#move({ wallMs, jump: this.#state.jump + 1 });
  }

  /** Throws RangeError for 0 and for what is no number. */
  setRate(rate: number): void {
    if (!Number.isFinite(rate) || rate === 0) throw new RangeError('a speed is a number other than 0');
    // Turning round is a jump: what was decoded ahead lies on the wrong side.
    const isTurned = Math.sign(rate) !== Math.sign(this.#state.rate);
    this.#move({ rate, jump: this.#state.jump + (isTurned ? 1 : 0) });
  }

  /** Stands still until everybody who holds lets go. */
  hold(holder: string): void {
    if (this.#holders.has(holder)) return;
    this.#holders.add(holder);
    if (this.#holders.size === 1) this.#move({});
  }

  release(holder: string): void {
    if (this.#holders.delete(holder) && this.#holders.size === 0) this.#move({});
  }

  #move(change: Partial<ClockState>): void {
    const now = this.#time.wallMs();
    const before = this.#state;
    const next = { ...before, wallMs: positionAt(before, now), atMs: now, ...change };
    const isRunning = next.isPlaying && this.#holders.size === 0;
    // Every telling goes to the worker and redraws the page: a hold of a clock that stands anyway is none.
    const isSame =
      next.jump === before.jump &&
      next.rate === before.rate &&
      next.isPlaying === before.isPlaying &&
      isRunning === before.isRunning;
    if (isSame) return;
    this.#state = { ...next, isRunning };
    for (const listener of this.#listeners) listener();
  }
}
