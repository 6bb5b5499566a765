// The words for every state of playback that needs some.
import type { PlaybackState } from '@vedette/player/playback-state.ts';
import type { Translate } from '@vedette/phrases/translate.ts';

export interface PlaybackSentence {
  readonly title: string;
  readonly detail: string | null;
  readonly canRetry: boolean;
}

export function playbackSentence(t: Translate, state: PlaybackState): PlaybackSentence | null {
  switch (state.kind) {
    case 'idle':
    case 'loading':
    case 'playing':
    case 'paused':
      return null;
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
