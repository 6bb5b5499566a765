// The interface of a channel's recording source towards its tiles.
import type { PlaybackSource } from './hls/playback-source.ts';

export type FragmentsAnswer =
  /** Address of the window's fragments, without a slash at its end. */
  | { readonly kind: 'window'; readonly address: string }
  /** Nothing is recorded there. */
  | { readonly kind: 'none' }
  | { readonly kind: 'refused'; readonly code: number };

export interface RecordingSource extends PlaybackSource {
  /** Rejects only where the server can't be reached. `endTime - startTime` is at most 600 s. */
  getFragments(
    range: { readonly startTime: number; readonly endTime: number },
    signal: AbortSignal,
  ): Promise<FragmentsAnswer>;
  /** The newest recorded instant before another; null when there is none. */
  previousRecorded(at: number, signal: AbortSignal): Promise<number | null>;
}
