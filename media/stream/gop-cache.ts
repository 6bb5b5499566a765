// Cache of the access units since the newest keyframe, so that a new viewer gets a frame at once.
import type { LiveFragment } from './live-fragment.ts';
import type { AccessUnit } from './stream.ts';

/** Longer GOPs are not cached: a new viewer then waits for the next keyframe. */
export const GOP_LIMITS = { bytes: 24 * 1024 * 1024, fragments: 6000 } as const;

/** `duration` in ticks of the track. */
type BuildFragment = (unit: AccessUnit, duration: number) => LiveFragment;

/** Flat arrays: objects that live as long as a GOP cost the garbage collector most. */
export class GopCache {
  readonly #build: BuildFragment;
  #units: AccessUnit[] = [];
  #durations: number[] = [];
  #count = 0;
  /** For the first units; built for others on demand. */
  #fragments: LiveFragment[] = [];
  #bytes = 0;
  #open = false;
  /** GOPs that were too long to cache. */
  overflows = 0;

  constructor(build: BuildFragment) {
    this.#build = build;
  }

  get bytes(): number {
    return this.#bytes;
  }

  get units(): readonly AccessUnit[] {
    return this.#units.slice(0, this.#count);
  }

  /** Builds missing fragments. */
  fragments(): readonly LiveFragment[] {
    this.#make();
    return [...this.#fragments];
  }

  /** For the last added unit, if cached. */
  newest(): LiveFragment | undefined {
    this.#make();
    return this.#fragments.at(-1);
  }

  /** `bytes`: of its fragment. */
  add(unit: AccessUnit, duration: number, bytes: number): void {
    if (unit.track === 'video' && unit.isKey) {
      this.clear();
      this.#open = true;
    }
    if (!this.#open) return;
    if (this.#bytes + bytes > GOP_LIMITS.bytes || this.#count === GOP_LIMITS.fragments) {
      this.overflows += 1;
      this.clear();
      return;
    }
    unit.slab?.hold();
    this.#units[this.#count] = unit;
    this.#durations[this.#count] = duration;
    this.#count += 1;
    this.#bytes += bytes;
  }

  clear(): void {
    for (let at = 0; at < this.#count; at++) this.#units[at]?.slab?.release();
    // Preallocates for the next GOP, which is about as long: growing lists are copied.
    this.#units = new Array<AccessUnit>(this.#count);
    this.#durations = new Array<number>(this.#count);
    this.#count = 0;
    this.#fragments = [];
    this.#bytes = 0;
    this.#open = false;
  }

  #make(): void {
    for (let at = this.#fragments.length; at < this.#count; at++)
      this.#fragments.push(this.#build(this.#units[at] as AccessUnit, this.#durations[at] as number));
  }
}
