// Holds the units since the newest key picture, so that a new viewer sees a picture at once; what viewers receive is made of them when one comes.
import type { LiveFragment } from './live-fragment.ts';
import type { AccessUnit } from './stream.ts';

/** Beyond these a GOP is not kept: a new viewer then waits for the next key picture. */
export const GOP_LIMITS = { bytes: 24 * 1024 * 1024, fragments: 6000 } as const;

/** A unit with all that its fragment is made of. */
export interface TimedUnit {
  readonly unit: AccessUnit;
  /** In ticks of the track. */
  readonly duration: number;
  fragment: LiveFragment | null;
}

export class GopCache {
  readonly #build: (timed: TimedUnit) => LiveFragment;
  #units: TimedUnit[] = [];
  #bytes = 0;
  #open = false;
  /** GOPs that were too long to keep. */
  overflows = 0;

  constructor(build: (timed: TimedUnit) => LiveFragment) {
    this.#build = build;
  }

  get bytes(): number {
    return this.#bytes;
  }

  get units(): readonly TimedUnit[] {
    return this.#units;
  }

  /** Made now where nobody needed them so far. */
  fragments(): readonly LiveFragment[] {
    return this.#units.map((timed) => timed.fragment ?? this.#build(timed));
  }

  /** `bytes`: of its fragment. */
  add(timed: TimedUnit, bytes: number): void {
    const { unit } = timed;
    if (unit.track === 'video' && unit.isKey) {
      this.clear();
      this.#open = true;
    }
    if (!this.#open) return;
    if (this.#bytes + bytes > GOP_LIMITS.bytes || this.#units.length === GOP_LIMITS.fragments) {
      this.overflows += 1;
      this.clear();
      return;
    }
    unit.slab?.hold();
    this.#units.push(timed);
    this.#bytes += bytes;
  }

  clear(): void {
    for (const { unit } of this.#units) unit.slab?.release();
    this.#units = [];
    this.#bytes = 0;
    this.#open = false;
  }
}
