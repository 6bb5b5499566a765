// Counts the frames of a stream that came and were never presented.

/**
 * From the browser's count of what it presented: Chrome's own count of dropped frames takes many for dropped that are drawn, where there are
 * many tiles, up to an eighth of 64.
 */
export class DroppedFrames {
  #first: { readonly number: number; readonly presented: number } | null = null;
  #count = 0;

  get count(): number {
    return this.#count;
  }

  /** A frame is on screen: `number` came before it, and it is the `presented`th that was presented. */
  shown(number: number, presented: number): void {
    this.#first ??= { number, presented };
    // Frames that are shown in another order than they came look ahead of the count for a moment.
    this.#count = Math.max(0, number - this.#first.number - (presented - this.#first.presented));
  }
}
