// The state of one playback as a union.

export type PlaybackState =
  | { readonly kind: 'idle' }
  /** Getting or buffering what is played from `at` on. */
  | { readonly kind: 'loading'; readonly at: number }
  | { readonly kind: 'playing' }
  | { readonly kind: 'paused' }
  /** The end of what is recorded was reached. */
  | { readonly kind: 'ended' }
  /** Nothing is recorded at or after the instant asked for. */
  | { readonly kind: 'empty'; readonly at: number }
  | { readonly kind: 'denied'; readonly code: number }
  | { readonly kind: 'unsupported'; readonly codec: string | null }
  | { readonly kind: 'failed'; readonly code: number | null; readonly message: string };

/** Playback left out a gap: asked for one instant, went on at another. */
export interface PlaybackJump {
  readonly from: number;
  readonly to: number;
}

/** Backwards only where the page decodes by itself. */
export const PLAYBACK_RATES = [-16, -8, -4, -2, -1, -0.5, 0.5, 1, 2, 4, 8, 16] as const;
