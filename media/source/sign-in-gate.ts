// Limits failed sign-ins per device over all its streams, so that a wrong password never locks the device's account.
import type { Clock } from '../clock/clock.ts';

const WINDOW_MS = 60_000;
const FAILURES_PER_WINDOW = 3;

/** One gate is shared by every source of a site. Keys name a device and user, never a password. */
export class SignInGate {
  readonly #clock: Clock;
  readonly #failures = new Map<string, number[]>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Milliseconds to wait before the next try; 0 when it may happen now. */
  waitMs(key: string): number {
    const recent = this.#recent(key);
    const oldest = recent[recent.length - FAILURES_PER_WINDOW];
    return oldest === undefined ? 0 : Math.max(0, oldest + WINDOW_MS - this.#clock.monotonicMs());
  }

  failed(key: string): void {
    this.#failures.set(key, [...this.#recent(key), this.#clock.monotonicMs()]);
  }

  succeeded(key: string): void {
    this.#failures.delete(key);
  }

  #recent(key: string): number[] {
    const since = this.#clock.monotonicMs() - WINDOW_MS;
    return (this.#failures.get(key) ?? []).filter((at) => at > since);
  }
}
