// The words for every state of a tile: what is the matter, in one sentence.
import type { DeviceReason } from '@vedette/contract/errors.ts';
import { UNDECODABLE } from '@vedette/player/live/live-tile.ts';
import type { TileState } from '@vedette/player/live/tile-state.ts';
import type { Translate } from '@vedette/phrases/translate.ts';

export interface TileSentence {
  readonly title: string;
  readonly detail: string | null;
  readonly canRetry: boolean;
}

/** The device is there, and what it sends cannot be shown. */
const PICTURELESS: ReadonlySet<string> = new Set<DeviceReason | typeof UNDECODABLE>(['noKeyPicture', UNDECODABLE]);

/** Null where the picture speaks for itself. */
export function tileSentence(t: Translate, state: TileState): TileSentence | null {
  switch (state.kind) {
    case 'idle':
    case 'live':
      return null;
    case 'connecting':
      return { title: t('live.connecting'), detail: null, canRetry: false };
    case 'stalled':
      return {
        title: t('live.stalled'),
        detail: t(state.cause === 'stream' ? 'live.stalledStream' : 'live.stalledConnection'),
        canRetry: true,
      };
    case 'offline':
      return {
        title: t(PICTURELESS.has(state.reason ?? '') ? 'live.noPicture' : 'live.offline'),
        detail: offlineDetail(t, state.code, state.reason),
        canRetry: true,
      };
    case 'denied':
      return { title: t('live.denied'), detail: t.find(`errCode_${state.code}`) ?? null, canRetry: false };
    case 'ended':
      return {
        title: t.find(`errCode_${state.code}`) ?? t('live.ended'),
        detail: t('live.endedDetail'),
        canRetry: false,
      };
    case 'unsupported':
      return {
        title: t('live.unsupported'),
        detail:
          state.codec === null
            ? t('live.unsupportedDevice')
            : t('live.unsupportedCodec', { codec: codecName(state.codec) }),
        canRetry: false,
      };
    case 'paused':
      return { title: t('live.paused'), detail: t('live.pausedDetail'), canRetry: false };
  }
}

function offlineDetail(t: Translate, code: number, reason: string | null): string | null {
  const said = reason === null ? undefined : t.find(`reason_${reason}`);
  return said ?? t.find(`errCode_${code}`) ?? null;
}

/** The family name that people know, for a codec string. */
export function codecName(codec: string): string {
  const text = codec.toLowerCase();
  if (/^(?:avc|h264)/.test(text)) return 'H.264';
  if (/^(?:hvc|hev|h265|hevc)/.test(text)) return 'H.265';
  if (/jpe?g/.test(text)) return 'JPEG';
  return codec;
}

/** How long ago, in the largest unit that says enough. */
export function ageText(t: Translate, ageMs: number): string {
  const seconds = Math.max(0, Math.round(ageMs / 1000));
  if (seconds < 90) return t('age.seconds', { value: seconds });
  const minutes = Math.round(seconds / 60);
  return minutes < 90 ? t('age.minutes', { value: minutes }) : t('age.hours', { value: Math.round(minutes / 60) });
}
