// The words for every state of a playback tile that needs some.
import type { TileState } from '@vedette/player/playback/tile-view.ts';
import type { Translate } from '@vedette/phrases/translate.ts';

export interface PlaybackSentence {
  readonly title: string;
  readonly detail: string | null;
  readonly canRetry: boolean;
}

/** `gapReason`: why nothing was recorded at the clock, in words; null while that is not known. */
export function playbackSentence(t: Translate, state: TileState, gapReason: string | null): PlaybackSentence | null {
  switch (state.kind) {
    case 'idle':
    case 'loading':
    case 'playing':
    case 'paused':
      return null;
    case 'gap':
      return { title: t('playback.gap'), detail: gapReason, canRetry: false };
    case 'catchingUp':
      return { title: t('playback.catchingUp'), detail: null, canRetry: false };
    case 'ended':
      return { title: t('playback.ended'), detail: t('playback.endedDetail'), canRetry: false };
    case 'empty':
      return { title: t('playback.nothingAfter'), detail: t('playback.nothingAfterDetail'), canRetry: false };
    case 'denied':
      return { title: t('live.denied'), detail: t.find(`errCode_${state.code}`) ?? null, canRetry: false };
    case 'unsupported':
      return { title: t('live.unsupported'), detail: t('playback.unsupported'), canRetry: false };
    case 'failed': {
      const said = state.code === null ? t('error.network') : t.find(`errCode_${state.code}`);
      return { title: t('playback.failed'), detail: said ?? null, canRetry: true };
    }
  }
}
