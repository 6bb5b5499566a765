// Holds the fragments since the newest key picture, so that a new viewer sees a picture at once.
import type { LiveFragment } from './live-fragment.ts';

/** Beyond these a GOP is not kept: a new viewer then waits for the next key picture. */
export const GOP_LIMITS = { bytes: 24 * 1024 * 1024, fragments: 6000 } as const;

export class GopCache {
  #fragments: LiveFragment[] = [];
  #bytes = 0;
  #open = false;
  /** GOPs that were too long to keep. */
  overflows = 0;

  get bytes(): number {
    return this.#bytes;
  }

  get fragments(): readonly LiveFragment[] {
    return this.#fragments;
  }

  add(fragment: LiveFragment): void {
    if (fragment.unit.track === 'video' && fragment.isKey) {
      this.clear();
      this.#open = true;
    }
    if (!this.#open) return;
    if (this.#bytes + fragment.bytes.length > GOP_LIMITS.bytes || this.#fragments.length === GOP_LIMITS.fragments) {
      this.overflows += 1;
      this.clear();
      return;
    }
    fragment.unit.slab?.hold();
    this.#fragments.push(fragment);
    this.#bytes += fragment.bytes.length;
  }

  clear(): void {
    for (const { unit } of this.#fragments) unit.slab?.release();
    this.#fragments = [];
    this.#bytes = 0;
    this.#open = false;
  }
}
