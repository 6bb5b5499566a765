// Derives from the count of pictures left out whether a stream waits for a keyframe at present.

/** Without another picture left out for so long the stream is silent instead. */
const RECENT_MS = 3000;

export class KeyframeWait {
  #atDelivery = 0;
  #seen = 0;
  #grewMs = -Infinity;

  /** A picture was delivered: those left out before it matter no more. */
  delivered(leftOut: number): void {
    this.#atDelivery = leftOut;
  }

  /** @param leftOut pictures left out so far; their growth is noticed between two calls, so call it at least every second. */
  isOn(leftOut: number, now: number): boolean {
    if (leftOut !== this.#seen) this.#grewMs = now;
    this.#seen = leftOut;
    return leftOut !== this.#atDelivery && now - this.#grewMs < RECENT_MS;
  }
}
