// Messages between the devices and the generator thread, and the video format of all recordings.

import type { VideoShape } from '../scene/codec/h264-headers.ts';
import type { SceneName } from '../scene/scene-catalogue.ts';
import type { Span } from './recorded-pattern.ts';
import type { UtcOffset } from './utc-offsets.ts';

/** Small and slow pictures: a day of a channel is to stay below 100 MB. */
export const replayShape: VideoShape = { width: 640, height: 360, rate: 1, qp: 36 };
export const REPLAY_GOP_MS = 10_000;
export const FRAME_MS = 1000;
export const FIRST_SEQUENCE = 1;

/** Batches that may be under way to the devices: enough to keep the maker busy while one is being sent. */
export const BATCHES_AHEAD = 3;

/** One PLAY. */
export interface ReplayRequest {
  readonly scene: SceneName;
  readonly variant: number;
  /** The name burned into the picture. */
  readonly label: string;
  readonly utcOffsets: readonly UtcOffset[];
  readonly seed: number;
  readonly range: Span;
  /** Null: as fast as the client takes it. */
  readonly scale: number | null;
}

export type ToGenerator =
  | { readonly kind: 'play'; readonly replay: number; readonly order: ReplayRequest }
  /** The client took a batch. */
  | { readonly kind: 'taken'; readonly replay: number }
  | { readonly kind: 'stop'; readonly replay: number };

export type FromGenerator =
  | {
      readonly kind: 'batch';
      readonly replay: number;
      /** Whole interleaved frames; the memory is handed over, not copied. */
      readonly frames: Uint8Array<ArrayBuffer>;
      readonly pictures: number;
      readonly isLast: boolean;
    }
  | { readonly kind: 'failed'; readonly replay: number; readonly reason: string };

/** 90 kHz of the wall clock: the recordings of one channel have one time line. */
export function rtpTimeOf(wallMs: number): number {
  return (wallMs * 90) % 0x1_0000_0000;
}
