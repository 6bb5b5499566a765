// Block coverage of the project's code by V8 counters, so that inputs reaching new code are kept.
import { Session } from 'node:inspector/promises';

export class BlockCoverage {
  readonly #session = new Session();
  readonly #seen = new Set<string>();
  readonly #rooms: RegExp;

  private constructor(rooms: RegExp) {
    this.#rooms = rooms;
  }

  static async start(rooms: RegExp): Promise<BlockCoverage> {
    const coverage = new BlockCoverage(rooms);
    coverage.#session.connect();
    await coverage.#session.post('Profiler.enable');
    await coverage.#session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true });
    return coverage;
  }

  get blocks(): number {
    return this.#seen.size;
  }

  /** How many blocks ran for the first time. */
  async take(): Promise<number> {
    const { result } = await this.#session.post('Profiler.takePreciseCoverage');
    const before = this.#seen.size;
    for (const { url, functions } of result) {
      if (!this.#rooms.test(url)) continue;
      const ran = functions.flatMap(({ ranges }) => ranges).filter(({ count }) => count > 0);
      for (const { startOffset, endOffset } of ran) this.#seen.add(`${url}:${startOffset}-${endOffset}`);
    }
    return this.#seen.size - before;
  }

  async stop(): Promise<void> {
    await this.#session.post('Profiler.stopPreciseCoverage');
    this.#session.disconnect();
  }
}
