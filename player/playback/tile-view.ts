// What a page shows of one playback tile beside its video.
import type { PlaybackState } from './hls/playback-state.ts';

export type TileState =
  | PlaybackState
  /** Nothing was recorded in `[from, to)`, and others play on; null where an end is not known. */
  | { readonly kind: 'gap'; readonly from: number | null; readonly to: number | null }
  /** It could not keep up, and the others went on. */
  | { readonly kind: 'catchingUp' };

export interface TileView {
  readonly state: TileState;
  /** Capture instant of the picture on screen while it stands, ms; null while playing. */
  readonly shownAt: number | null;
  /** Keyframes only: the machine can't decode all. */
  readonly isThin: boolean;
  /** It was recorded with audio that the server cannot make playable. */
  readonly isAudioLeftOut: boolean;
}

export const NO_VIEW: TileView = { state: { kind: 'idle' }, shownAt: null, isThin: false, isAudioLeftOut: false };
