// Detects a frozen device: coded frames contain counters, so identical bytes mean a repeated frame.
import type { Slab } from '@vedette/protocols/rtp/slab-pool.ts';

export class RepeatedFrameDetector {
  #data: Buffer | null = null;
  #slab: Slab | undefined;

  /** Whether `data` equals the previous frame; keeps it, with its slab, for the next call. */
  isRepeatedBy(data: Buffer, slab: Slab | undefined): boolean {
    const isSame = this.#data?.equals(data) === true;
    slab?.hold();
    this.#slab?.release();
    this.#slab = slab;
    this.#data = data;
    return isSame;
  }
}
