// Judges a disk of several on which files fail although a test of it succeeds: one error is none of the disk's, three in a minute are.

const WITHIN_MS = 60_000;
const ERRORS_MAX = 3;
/** Then it is tried again. */
const LEFT_OUT_MS = 60_000;

export class DiskDoubt {
  #isRaised = false;
  /** When a test succeeded after an error. */
  #testsMs: number[] = [];
  #leftOutUntilMs = Number.NEGATIVE_INFINITY;

  /** A file failed: the disk has to be tested. */
  get isRaised(): boolean {
    return this.#isRaised;
  }

  raise(): void {
    this.#isRaised = true;
  }

  /** The disk was tested. However many files failed before that, it is one error: they often fail together. */
  settle(isWorking: boolean, nowMs: number): void {
    if (!this.#isRaised) return;
    this.#isRaised = false;
    if (!isWorking) return;
    this.#testsMs = [...this.#testsMs.filter((ms) => nowMs - ms < WITHIN_MS), nowMs];
    if (this.#testsMs.length < ERRORS_MAX) return;
    this.#testsMs = [];
    this.#leftOutUntilMs = nowMs + LEFT_OUT_MS;
  }

  isLeftOut(nowMs: number): boolean {
    return nowMs < this.#leftOutUntilMs;
  }
}
