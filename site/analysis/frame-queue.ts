// Frames that wait for the analyst: the newest of each channel, channels in turn.
import type { DecodedFrame } from '@vedette/media/codec/decoded-frames.ts';
import type { PixelRegion } from '../analyst/frame-wire.ts';

/** With the region that is looked at enlarged; null: none. */
export type RegionFrame = DecodedFrame & { readonly region: PixelRegion | null };

export interface WaitingFrame {
  readonly channelId: string;
  readonly frame: RegionFrame;
}

export class FrameQueue {
  readonly #waiting = new Map<string, RegionFrame>();

  /** True: the channel's former frame was dropped for it. A channel keeps its turn. */
  offer(channelId: string, frame: RegionFrame): boolean {
    const isReplaced = this.#waiting.has(channelId);
    this.#waiting.set(channelId, frame);
    return isReplaced;
  }

  /** `isReady`: the analyst of the channel takes a frame. */
  take(isReady: (channelId: string) => boolean = () => true): WaitingFrame | null {
    for (const [channelId, frame] of this.#waiting) {
      if (!isReady(channelId)) continue;
      this.#waiting.delete(channelId);
      return { channelId, frame };
    }
    return null;
  }

  withdraw(channelId: string): void {
    this.#waiting.delete(channelId);
  }
}
