// What plays a growing playlist in a video element; hls.js stands behind it, and a fake in tests.
import type { TimelinePart } from './media-timeline.ts';

export type EngineFault =
  /** A segment was refused or did not come; `status` is the HTTP status where there was one. */
  | { readonly kind: 'network'; readonly status: number | null; readonly message: string }
  | { readonly kind: 'codec'; readonly codec: string | null }
  | { readonly kind: 'media'; readonly message: string };

export interface EngineOptions {
  readonly video: HTMLVideoElement;
  /** Asked again from time to time: windows are added at its end. */
  readonly playlist: () => string;
  /** Media time to start at, seconds from the playlist's beginning. */
  readonly startAt: number;
  readonly onParts: (parts: readonly TimelinePart[]) => void;
  readonly onFault: (fault: EngineFault) => void;
}

export interface PlaybackEngine {
  close(): void;
}

export type OpenEngine = (options: EngineOptions) => Promise<PlaybackEngine>;
