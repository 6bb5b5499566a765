// Plays one camera from an instant, and says where nothing was recorded.
import type { TileState } from '@vedette/player/playback/tile-view.ts';
import type { PlaybackJump } from '@vedette/player/playback/hls/playback-state.ts';
import { formatClock } from '@vedette/rules/time-format.ts';
import { IconBroadcast } from '@tabler/icons-react';
import { useEffect, useRef } from 'react';
import { RECORD_SOURCE } from '@vedette/contract/enumerations.ts';
import { useT } from '../../language/use-t.ts';
import { useTimeFormat } from '../../language/use-time-format.ts';
import { useServices } from '../../services/services.ts';
import { channelPlayback } from '../playback/channel-playback.ts';
import { type PlaybackChannel, playbackChannelKey } from '../playback/playback-channel.ts';
import { playbackSentence } from '../playback/playback-sentence.ts';
import { PlayheadClock } from '../playback/playhead-clock.tsx';
import { type PlaybackGroupView, usePlaybackGroup, useTileView } from '../playback/use-playback-group.ts';
import { endReplay } from './replay-store.ts';
import style from './replay.module.css';

export interface ReplayPictureProps extends PlaybackChannel {
  /** ms */
  readonly start: number;
}

export function ReplayPicture({ deviceSerial, channelNo, start }: ReplayPictureProps) {
  const t = useT();
  const format = useTimeFormat();
  const host = useRef<HTMLDivElement>(null);
  const view = usePlaybackGroup();
  const channel = { deviceSerial, channelNo };
  const { state } = useTileView(view, playbackChannelKey(channel));
  useReplay(view, { deviceSerial, channelNo, start }, host);
  return (
    <div className={style.overlay} data-replay data-replay-state={state.kind}>
      <div ref={host} className={style.picture} />
      <ReplayMessage state={state} />
      <div className={style.bar}>
        <span className={style.mark}>{t('replay.mark')}</span>
        <PlayheadClock position={view.position} format={format} />
        <button
          type="button"
          className={style.back}
          onClick={(event) => {
            event.stopPropagation();
            endReplay(channel);
          }}
        >
          <IconBroadcast size={14} stroke={1.8} aria-hidden="true" />
          {t('replay.toLive')}
        </button>
      </div>
      {view.jump !== null && <ReplayJump jump={view.jump} clock={(at) => formatClock(at, format)} />}
    </div>
  );
}

function ReplayJump({ jump, clock }: { readonly jump: PlaybackJump; readonly clock: (at: number) => string }) {
  const t = useT();
  return (
    <p className={style.jump} role="status">
      {t('playback.jumped', { from: clock(jump.from), to: clock(jump.to) })}
    </p>
  );
}

function ReplayMessage({ state }: { readonly state: TileState }) {
  const t = useT();
  if (state.kind === 'idle' || state.kind === 'loading') {
    return <span className={style.spinner} role="status" aria-label={t('playback.loading')} />;
  }
  const sentence = playbackSentence(t, state, null);
  if (sentence === null || state.kind === 'catchingUp') return null;
  const isNothing = state.kind === 'empty' || state.kind === 'gap';
  return (
    <div className={style.message} role="status">
      <p>{isNothing ? t('replay.nothing') : sentence.title}</p>
      {!isNothing && sentence.detail !== null && <p className={style.detail}>{sentence.detail}</p>}
    </div>
  );
}

function useReplay(
  { group }: PlaybackGroupView,
  { deviceSerial, channelNo, start }: ReplayPictureProps,
  host: { readonly current: HTMLElement | null },
): void {
  const { caller, clock } = useServices();
  useEffect(() => {
    if (!group || !host.current) return;
    const channel = { deviceSerial, channelNo };
    const id = playbackChannelKey(channel);
    const now = (): number => clock.wallMs();
    group.add(id, host.current, channelPlayback({ caller, channel, now, wish: 'main', source: RECORD_SOURCE.auto }));
    group.seek(start);
    group.play();
    return () => group.remove(id);
  }, [group, deviceSerial, channelNo, start, caller, clock, host]);
}
