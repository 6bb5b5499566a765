// Rate-limited warnings: one line a minute per message, with the number of suppressed ones.
import type { Logger } from 'pino';
import type { Clock } from '@vedette/foundation/time/clock.ts';

const EVERY_MS = 60_000;

export class RareLog {
  readonly #log: Logger;
  readonly #clock: Clock;
  readonly #said = new Map<string, { at: number; left: number }>();

  constructor(log: Logger, clock: Clock) {
    this.#log = log;
    this.#clock = clock;
  }

  /** `message` is one of a few fixed texts. */
  warn(fields: object, message: string): void {
    const now = this.#clock.monotonicMs();
    const said = this.#said.get(message);
    if (said !== undefined && now - said.at < EVERY_MS) {
      said.left += 1;
      return;
    }
    this.#said.set(message, { at: now, left: 0 });
    this.#log.warn({ ...fields, ...(said && said.left > 0 && { leftOut: said.left }) }, message);
  }
}
