// Cache of the access units since the newest keyframe, so that a new viewer gets a frame at once.
import type { LiveFragment } from './live-fragment.ts';
import type { AccessUnit } from './stream.ts';

/** Beyond these a GOP is not kept: a new viewer then waits for the next keyframe. */
export const GOP_LIMITS = { bytes: 24 * 1024 * 1024, fragments: 6000 } as const;

/** `duration` in ticks of the track. */
type BuildFragment = (unit: AccessUnit, duration: number) => LiveFragment;

/** In flat arrays: objects that live as long as a GOP are what the collector has most work with. */
export class GopCache {
  readonly #build: BuildFragment;
  #units: AccessUnit[] = [];
  #durations: number[] = [];
  #count = 0;
  /** Of the first units; the others have none yet. */
  #fragments: LiveFragment[] = [];
  #bytes = 0;
  #open = false;
  /** GOPs that were too long to keep. */
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

  /** Made now where nobody needed them so far. */
  fragments(): readonly LiveFragment[] {
    this.#make();
    return [...this.#fragments];
  }

  /** Of the unit added last, where it is kept. */
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
    // As long as this one was the next one will be: lists that grow are copied again and again.
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
