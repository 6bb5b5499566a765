// Messages between page and playback worker.
import type { ClockState } from './clock-state.ts';
import type { AwaitedStretch, SegmentEntry } from '../segments/fragment-index.ts';
import type { RenderedFrame } from './tile-renderer.ts';

/** Answer to `wantWindow`. */
export type WindowReply =
  | {
      readonly kind: 'segments';
      readonly segments: readonly SegmentEntry[];
      readonly awaited?: readonly AwaitedStretch[];
      readonly isGrowing: boolean;
    }
  /** No ticket, no list: asked again later, or never for a right that ended. */
  | { readonly kind: 'failed' };

export type ToPlaybackWorker =
  | { readonly kind: 'add'; readonly tile: string; readonly windowMs: number }
  | { readonly kind: 'remove'; readonly tile: string }
  /** Nothing is painted any more: the right ended. */
  | { readonly kind: 'clear'; readonly tile: string }
  /** What failed is tried anew. */
  | { readonly kind: 'again'; readonly tile: string }
  | { readonly kind: 'size'; readonly tile: string; readonly width: number; readonly height: number }
  | { readonly kind: 'clock'; readonly clock: ClockState }
  | { readonly kind: 'window'; readonly tile: string; readonly window: number; readonly reply: WindowReply }
  | { readonly kind: 'step'; readonly tile: string; readonly direction: 1 | -1 }
  /** The tile whose sound is sent; null for none. */
  | { readonly kind: 'listen'; readonly tile: string | null }
  /** Keyframes only from now on, or all again: this tile can't keep up. */
  | { readonly kind: 'thin'; readonly tile: string; readonly isThin: boolean }
  | { readonly kind: 'still'; readonly tile: string; readonly at: number | null };

export type TileStatus =
  /** `isAudioLeftOut`: recorded audio that the server cannot make playable. */
  | { readonly kind: 'shown'; readonly isAudioLeftOut?: boolean }
  /** recordings are there, its picture not yet. */
  | { readonly kind: 'waiting' }
  /** Null: the end is not known. */
  | { readonly kind: 'gap'; readonly from: number | null; readonly to: number | null };

export type FragmentFault =
  | { readonly kind: 'unsupported'; readonly codec: string }
  | { readonly kind: 'failed'; readonly message: string }
  | { readonly kind: 'refused'; readonly code: number };

/** A picture to be shown, painted at this jump of the clock. */
export interface TileFrame extends RenderedFrame {
  readonly tile: string;
  readonly jump: number;
}

export type FromPlaybackWorker =
  /** All that changes on screen, at one moment. */
  { readonly kind: 'pictures'; readonly pictures: readonly TileFrame[] } | FromTile;

export type FromTile =
  /** `isStale`: the ticket of the last answer is over, or recordings that it lists are gone. `at`: the instant that is wanted. */
  | {
      readonly kind: 'wantWindow';
      readonly tile: string;
      readonly window: number;
      readonly isStale: boolean;
      readonly at: number;
    }
  /** `jump`: of the clock that it is about. */
  | { readonly kind: 'status'; readonly tile: string; readonly status: TileStatus; readonly jump: number }
  /** The neighbour that `step` asked for; null where there is none. */
  | { readonly kind: 'stepped'; readonly tile: string; readonly at: number | null }
  | { readonly kind: 'fault'; readonly tile: string; readonly fault: FragmentFault }
  | {
      readonly kind: 'sound';
      readonly tile: string;
      /** Capture instant of the first sample, ms. */
      readonly at: number;
      readonly sampleRate: number;
      /** One array of samples per channel. */
      readonly channels: readonly Float32Array<ArrayBuffer>[];
      /** Jump of the clock it belongs to. */
      readonly jump: number;
    }
  /** The keyframe under the pointer, at most `STILL_WIDTH` wide. */
  | { readonly kind: 'still'; readonly tile: string; readonly at: number; readonly bitmap: ImageBitmap };
