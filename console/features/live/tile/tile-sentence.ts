// The words for every state of a tile: what is the matter, in one sentence.
import type { DeviceReason } from '@vedette/contract/errors.ts';
import { UNDECODABLE } from '@vedette/player/live/live-tile.ts';
import type { TileState } from '@vedette/player/live/tile-state.ts';
import type { Translate } from '@vedette/phrases/translate.ts';
import type { ServerContact } from './use-server-contact.ts';

export interface TileSentence {
  readonly title: string;
  readonly detail: string | null;
  readonly canRetry: boolean;
}

/** The device is there, and what it sends cannot be shown. */
const PICTURELESS: ReadonlySet<string> = new Set<DeviceReason | typeof UNDECODABLE>(['noKeyPicture', UNDECODABLE]);

const STALLED_DETAIL = {
  stream: 'live.stalledStream',
  keyframe: 'live.stalledKeyframe',
  connection: 'live.stalledConnection',
} as const;

/** What waits for the server: nothing is known of the camera until it answers. */
const NEEDS_SERVER: ReadonlySet<TileState['kind']> = new Set(['connecting', 'stalled', 'offline']);

export function isServerAway(state: TileState, contact: ServerContact): boolean {
  return contact === 'lost' && NEEDS_SERVER.has(state.kind);
}

/** Null where the picture speaks for itself. */
export function tileSentence(t: Translate, state: TileState, contact: ServerContact): TileSentence | null {
  if (isServerAway(state, contact)) {
    return { title: t('live.serverAway'), detail: t('live.serverAwayDetail'), canRetry: false };
  }
  switch (state.kind) {
    case 'idle':
    case 'live':
      return null;
    case 'connecting':
      return { title: t('live.connecting'), detail: null, canRetry: false };
    case 'stalled':
      return { title: t('live.stalled'), detail: stalledDetail(t, state.cause, contact), canRetry: true };
    case 'offline':
      return offline(t, state.code, state.reason);
    case 'denied':
      return { title: t('live.denied'), detail: codeText(t, state.code), canRetry: false };
    case 'ended':
      return { title: endedTitle(t, state.code), detail: t('live.endedDetail'), canRetry: false };
    case 'unsupported':
      return { title: t('live.unsupported'), detail: unsupportedDetail(t, state.codec), canRetry: false };
    case 'paused':
      return { title: t('live.paused'), detail: t('live.pausedDetail'), canRetry: false };
  }
}

/** A server that has just been silent may be the cause itself. */
function stalledDetail(t: Translate, cause: keyof typeof STALLED_DETAIL, contact: ServerContact): string | null {
  return contact === 'heard' ? t(STALLED_DETAIL[cause]) : null;
}

function endedTitle(t: Translate, code: number): string {
  return codeText(t, code) ?? t('live.ended');
}

function offline(t: Translate, code: number, reason: string | null): TileSentence {
  const title = t(PICTURELESS.has(reason ?? '') ? 'live.noPicture' : 'live.offline');
  const said = reason === null ? undefined : t.find(`reason_${reason}`);
  return { title, detail: said ?? codeText(t, code), canRetry: true };
}

function unsupportedDetail(t: Translate, codec: string | null): string {
  return codec === null ? t('live.unsupportedDevice') : t('live.unsupportedCodec', { codec: codecName(codec) });
}

function codeText(t: Translate, code: number): string | null {
  return t.find(`errCode_${code}`) ?? null;
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
