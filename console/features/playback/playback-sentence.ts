// The words for every state of a playback tile that needs some.
import type { TileState } from '@vedette/player/playback/tile-view.ts';
import type { PlainKey } from '@vedette/phrases/pack.ts';
import type { Translate } from '@vedette/phrases/translate.ts';

export interface PlaybackSentence {
  readonly title: string;
  readonly detail: string | null;
  readonly canRetry: boolean;
}

/** `gapReason`: why nothing was recorded at the clock, in words; null while that is not known. */
export function playbackSentence(t: Translate, state: TileState, gapReason: string | null): PlaybackSentence | null {
  const title = TITLES[state.kind];
  if (title === null) return null;
  return { title: t(title), detail: detailOf(t, state, gapReason), canRetry: state.kind === 'failed' };
}

/** Null where the picture speaks for itself. */
const TITLES: Readonly<Record<TileState['kind'], PlainKey | null>> = {
  idle: null,
  loading: null,
  playing: null,
  paused: null,
  gap: 'playback.gap',
  catchingUp: 'playback.catchingUp',
  ended: 'playback.ended',
  empty: 'playback.nothingAfter',
  denied: 'live.denied',
  unsupported: 'live.unsupported',
  failed: 'playback.failed',
};

function detailOf(t: Translate, state: TileState, gapReason: string | null): string | null {
  switch (state.kind) {
    case 'gap':
      return gapReason;
    case 'ended':
      return t('playback.endedDetail');
    case 'empty':
      return t('playback.nothingAfterDetail');
    case 'denied':
      return t.find(`errCode_${state.code}`) ?? null;
    case 'unsupported':
      return t('playback.unsupported');
    case 'failed':
      return state.code === null ? t('error.network') : (t.find(`errCode_${state.code}`) ?? null);
    default:
      return null;
  }
}
