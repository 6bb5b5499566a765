// One tile of playback as its group sees it, whatever decodes it.
import type { PlaybackState } from './hls/playback-state.ts';
import type { PlaybackClock } from './playback-clock.ts';
import type { TileStatus } from './worker/worker-messages.ts';

/** Why a tile shows nothing until the next seek; what failed is tried `again` meanwhile. */
export type TileEnd = Extract<PlaybackState, { kind: 'denied' | 'unsupported' | 'failed' }>;

export interface TileEvents {
  readonly onStatus: (status: TileStatus) => void;
  readonly onEnd: (end: TileEnd) => void;
  /** A picture was drawn: its capture instant, ms. */
  readonly onFrame: (at: number) => void;
  /** The picture under the pointer; the receiver closes it. */
  readonly onThumbnail: (at: number, bitmap: ImageBitmap) => void;
}

export interface PlaybackTile {
  /** The clock changed. */
  follow(clock: PlaybackClock): void;
  /** Tries anew where the clock is, after it `failed`. */
  again(): void;
  /** Capture instant of the neighbouring picture, ms; null where there is none. */
  step(direction: 1 | -1): Promise<number | null>;
  /** Keyframes only: the machine can't decode all. */
  setThin(isThin: boolean): void;
  setHeard(isHeard: boolean): void;
  /** The instant under the pointer, or null. */
  setThumbnail(at: number | null): void;
  /** Asks whether the right to watch still stands; `onEnd` where it does not. Rejects where the server can't be reached. */
  verify(at: number): Promise<void>;
  close(): void;
  /** Closes, and leaves the picture on the page until the answer is called. */
  leave(): () => void;
}

/** How a page plays: by decoding itself, or by what browsers play anywhere. */
export interface PlaybackEngineKind {
  readonly kind: 'webcodecs' | 'hls';
  /** Why it is not `webcodecs`; null where it is. */
  readonly obstacle: 'insecure' | 'noDecoder' | null;
}
