// What went wrong during a soak: excused where a restart of its own was under way, else told.
import { errorMessage } from '@vedette/foundation/errors/error-message.ts';
import type { Outages } from './outages.ts';

export interface Trouble {
  readonly what: string;
  /** Wall clock. */
  readonly atMs: number;
  readonly message: string;
}

/** A soak that fails all the time need not say so a million times. */
const KEPT = 100;

export class Troubles {
  readonly kept: Trouble[] = [];
  total = 0;
  excused = 0;
  readonly #outages: Outages;
  readonly #tell: (line: string) => void;

  constructor(outages: Outages, tell: (line: string) => void) {
    this.#outages = outages;
    this.#tell = tell;
  }

  /** @param startedMs wall clock: since when it was under way */
  note(what: string, startedMs: number, error: unknown): void {
    const trouble = { what, atMs: Date.now(), message: errorMessage(error) };
    if (this.#outages.touch(startedMs, trouble.atMs)) {
      this.excused += 1;
      return;
    }
    this.#keep(trouble);
  }

  /** Whatever was under way. */
  insist(what: string, error: unknown): void {
    this.#keep({ what, atMs: Date.now(), message: errorMessage(error) });
  }

  #keep(trouble: Trouble): void {
    this.total += 1;
    if (this.kept.length < KEPT) this.kept.push(trouble);
    this.#tell(`${trouble.what}: ${trouble.message}`);
  }
}
