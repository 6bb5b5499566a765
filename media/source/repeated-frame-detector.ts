// Detects a repeated frame: coded frames carry counters, so a device that repeats one to the byte hangs.
import type { Slab } from '@vedette/protocols/rtp/slab-pool.ts';

export class RepeatedFrameDetector {
  #data: Buffer | null = null;
  #slab: Slab | undefined;

  /** Whether `data` repeats the picture before; it is the last one from now on, and its slab is held. */
  isRepeatedBy(data: Buffer, slab: Slab | undefined): boolean {
    const isSame = this.#data?.equals(data) === true;
    slab?.hold();
    this.#slab?.release();
    this.#slab = slab;
    this.#data = data;
    return isSame;
  }
}
