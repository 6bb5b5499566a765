// Looks through what every camera recorded since it was looked at last, and keeps each gap with its judgement.
import { type JudgedGap, judgedGaps } from './gaps.ts';
import type { SoakCamera, SoakWorld } from './world.ts';

export type FoundGap = JudgedGap & SoakCamera;

/** What is not on the disk yet when it is asked; a disk that is slower than that has recorded nothing. */
const BEHIND_MS = 15_000;

export class GapWatch {
  readonly gaps: FoundGap[] = [];
  /** Looked through, of all cameras together. */
  lookedMs = 0;
  readonly #lookedTo: Map<SoakCamera, number>;
  readonly #world: SoakWorld;

  /** @param sinceMs wall clock: every camera is recorded */
  constructor(world: SoakWorld, sinceMs: number) {
    this.#world = world;
    this.#lookedTo = new Map(world.cameras.map((camera) => [camera, sinceMs]));
  }

  /** Waits while something is away: what is missing is known when it is back. */
  async look(): Promise<void> {
    const endTime = Date.now() - BEHIND_MS;
    if (this.#world.outages.touch(endTime, Date.now())) return;
    for (const [camera, startTime] of this.#lookedTo) {
      if (endTime <= startTime) continue;
      const { recordList, gapList } = await this.#world.operator.ok('record/query', { ...camera, startTime, endTime });
      const found = judgedGaps({ startTime, endTime }, recordList, gapList, this.#world.outages.all);
      this.gaps.push(...found.map((gap) => ({ ...gap, ...camera })));
      this.#lookedTo.set(camera, endTime);
      this.lookedMs += endTime - startTime;
    }
  }
}
