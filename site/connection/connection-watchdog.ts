// Watchdog of a remote site's server connection: after a minute without it, viewing ends, since rights may be gone (FT-29).
import type { Clock } from '@vedette/foundation/time/clock.ts';

/** As long as a ticket may wait for its first use: after it no new viewing can start either. */
const CUT_OFF_MS = 60_000;

export class ConnectionWatchdog {
  readonly #clock: Clock;
  readonly #onCutOff: () => void;
  #cancel: () => void = () => undefined;

  constructor(options: { readonly clock: Clock; readonly onCutOff: () => void }) {
    this.#clock = options.clock;
    this.#onCutOff = options.onCutOff;
  }

  lost(): void {
    this.#cancel();
    this.#cancel = this.#clock.after(CUT_OFF_MS, this.#onCutOff);
  }

  restored(): void {
    this.#cancel();
    this.#cancel = () => undefined;
  }
}
