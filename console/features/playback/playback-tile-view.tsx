// One window of playback: the picture, what is said over it, and what can be done with it.
import type { TileState } from '@vedette/player/playback/tile-view.ts';
import type { PlaybackJump } from '@vedette/player/playback/hls/playback-state.ts';
import {
  IconAlertTriangle,
  IconHistoryOff,
  IconLock,
  IconPlayerSkipForward,
  IconPlus,
  IconRefresh,
  IconVideoOff,
  IconVolume,
  IconVolumeOff,
  IconX,
} from '@tabler/icons-react';
import { formatClock, formatDateTime } from '@vedette/rules/time-format.ts';
import { type DragEvent, type ReactNode, useEffect, useEffectEvent, useRef, useState } from 'react';
import { useT } from '../../language/use-t.ts';
import { useServices } from '../../services/services.ts';
import { Button } from '../../ui/buttons/button.tsx';
import { IconButton } from '../../ui/buttons/icon-button.tsx';
import { channelPlayback } from './channel-playback.ts';
import { channelDrag } from '../resource-tree/channel-drag.ts';
import { PlaybackBoxes } from './seen/playback-boxes.tsx';
import { type PlaybackChannel, playbackChannelKey } from './playback-channel.ts';
import { playbackSentence } from './playback-sentence.ts';
import { useRecordSource } from './record-source.ts';
import type { QualityRequest } from './recorded-quality.ts';
import style from './playback-tile-view.module.css';
import type { TickFormat } from './timeline/timeline-ticks.ts';
import { type PlaybackGroupView, useTileView } from './use-playback-group.ts';

export interface PlaybackTileProps {
  readonly view: PlaybackGroupView;
  readonly channel: PlaybackChannel;
  readonly name: string;
  readonly format: TickFormat;
  /** Among others: it has a ring, and can be taken away. */
  readonly isOneOfMany: boolean;
  /** Which of the recorded streams suits the size of the window. */
  readonly wish: QualityRequest;
  readonly isSelected: boolean;
  readonly isHeard: boolean;
  /** Why nothing was recorded at an instant, in words. */
  readonly gapReason: (at: number) => string | null;
  readonly jump: PlaybackJump | null;
  readonly onSelect: () => void;
  readonly onRemove: () => void;
  readonly onHear: () => void;
  readonly onToggle: () => void;
  readonly onMaximise: () => void;
  readonly onDropChannel: (channel: PlaybackChannel) => void;
}

const ICONS: Readonly<Partial<Record<TileState['kind'], ReactNode>>> = {
  denied: <IconLock size={20} stroke={1.6} />,
  unsupported: <IconVideoOff size={20} stroke={1.6} />,
  failed: <IconAlertTriangle size={20} stroke={1.6} />,
  ended: <IconPlayerSkipForward size={20} stroke={1.6} />,
  empty: <IconVideoOff size={20} stroke={1.6} />,
  gap: <IconHistoryOff size={20} stroke={1.6} />,
};

export function PlaybackTileView(props: PlaybackTileProps) {
  const { view, channel, name, format, isOneOfMany, isSelected, jump, onSelect, onToggle, onMaximise } = props;
  const t = useT();
  const host = useRef<HTMLDivElement>(null);
  const id = playbackChannelKey(channel);
  const { state, shownAt, isThin, isAudioLeftOut } = useTileView(view, id);
  useTile(view, channel, host, props.wish);
  const drop = useDrop(props.onDropChannel);
  return (
    <section
      className={style.view}
      data-playback
      data-state={state.kind}
      data-selected={(isOneOfMany && isSelected) || undefined}
      data-many={isOneOfMany || undefined}
      data-thin={isThin || undefined}
      data-drop={drop.isOver || undefined}
      aria-label={name}
      draggable={isOneOfMany}
      onDragStart={(event) => channelDrag.begin(event.dataTransfer, [channel], 'copy')}
      {...drop.handlers}
    >
      <div
        ref={host}
        role="presentation"
        className={style.picture}
        onClick={isOneOfMany ? onSelect : onToggle}
        onDoubleClick={onMaximise}
      />
      <PlaybackBoxes group={view.group} channel={channel} host={host} />
      {state.kind === 'loading' && <span className={style.spinner} role="status" aria-label={t('playback.loading')} />}
      <Message {...props} state={state} shownAt={shownAt} />
      {jump !== null && (
        <p key={jump.to} className={style.jump} role="status">
          {t('playback.jumped', { from: formatClock(jump.from, format), to: formatDateTime(jump.to, format) })}
        </p>
      )}
      <Caption
        name={name}
        format={format}
        pausedAt={state.kind === 'paused' ? shownAt : null}
        isThin={isThin}
        isAudioLeftOut={isAudioLeftOut}
      />
      {isOneOfMany && <Actions {...props} />}
    </section>
  );
}

interface CaptionProps {
  readonly name: string;
  readonly format: TickFormat;
  /** Of the picture that stands; null while none does. */
  readonly pausedAt: number | null;
  readonly isThin: boolean;
  readonly isAudioLeftOut: boolean;
}

function Caption({ name, format, pausedAt, isThin, isAudioLeftOut }: CaptionProps) {
  const t = useT();
  return (
    <p className={style.name}>
      <span className={style.nameText}>{name}</span>
      {pausedAt !== null && <time className={style.time}>{exactTime(pausedAt, format)}</time>}
      {isThin && <span className={style.note}>{t('playback.thin')}</span>}
      {isAudioLeftOut && (
        <span className={style.note} title={t('playback.audioLeftOutDetail')}>
          {t('playback.audioLeftOut')}
        </span>
      )}
    </p>
  );
}

function Message(props: PlaybackTileProps & { readonly state: TileState; readonly shownAt: number | null }) {
  const { view, state, gapReason } = props;
  const t = useT();
  const sentence = playbackSentence(t, state, state.kind === 'gap' ? gapReason(view.position() ?? 0) : null);
  if (sentence === null) return null;
  if (state.kind === 'catchingUp') return <p className={style.badge}>{sentence.title}</p>;
  return (
    <div className={style.message} role="status">
      <span className={style.icon} aria-hidden="true">
        {ICONS[state.kind]}
      </span>
      <p className={style.title}>{sentence.title}</p>
      {sentence.detail !== null && <p className={style.detail}>{sentence.detail}</p>}
      {sentence.canRetry && (
        <Button icon={<IconRefresh size={15} stroke={1.8} />} onClick={() => view.group?.play()}>
          {t('common.retry')}
        </Button>
      )}
    </div>
  );
}

function Actions({ isHeard, onHear, onRemove, name }: PlaybackTileProps) {
  const t = useT();
  return (
    <div className={style.actions} role="toolbar" aria-label={t('live.actions', { name })}>
      <IconButton label={t(isHeard ? 'live.mute' : 'live.unmute')} isPressed={isHeard} onClick={onHear}>
        {isHeard ? <IconVolume size={16} stroke={1.7} /> : <IconVolumeOff size={16} stroke={1.7} />}
      </IconButton>
      <IconButton label={t('playback.removeTile')} onClick={onRemove}>
        <IconX size={16} stroke={1.7} />
      </IconButton>
    </div>
  );
}

/** A window without a channel takes one from the tree. */
export function EmptyTile({ onDropChannel }: { readonly onDropChannel: (channel: PlaybackChannel) => void }) {
  const t = useT();
  const drop = useDrop(onDropChannel);
  return (
    <div className={style.empty} data-drop={drop.isOver || undefined} {...drop.handlers}>
      <IconPlus size={18} stroke={1.5} aria-hidden="true" />
      <p>{t('playback.emptyTile')}</p>
    </div>
  );
}

/** One tile of the group for as long as this channel stands here. */
function useTile(
  { group }: PlaybackGroupView,
  { deviceSerial, channelNo }: PlaybackChannel,
  host: { readonly current: HTMLElement | null },
  wish: QualityRequest,
): void {
  const { caller, clock } = useServices();
  const source = useRecordSource();
  const shown = useRef<QualityRequest | null>(null);
  const recordings = useEffectEvent(() => {
    shown.current = wish;
    const channel = { deviceSerial, channelNo };
    return channelPlayback({ caller, channel, now: () => clock.wallMs(), wish, source });
  });
  useEffect(() => {
    if (!group || !host.current) return;
    const id = playbackChannelKey({ deviceSerial, channelNo });
    group.add(id, host.current, recordings());
    return () => group.remove(id);
  }, [group, deviceSerial, channelNo, caller, clock, host, source]);
  // A larger window wants a better stream: the one that plays stays in sight until that is there.
  useEffect(() => {
    if (!group || !host.current || shown.current === wish) return;
    group.exchange(playbackChannelKey({ deviceSerial, channelNo }), host.current, recordings());
  }, [group, host, wish, deviceSerial, channelNo]);
}

function useDrop(onDropChannel: (channel: PlaybackChannel) => void) {
  const [isOver, setOver] = useState(false);
  const handlers = {
    onDragOver: (event: DragEvent) => {
      event.preventDefault();
      if (channelDrag.read(event.dataTransfer) === undefined) event.dataTransfer.dropEffect = 'none';
      else setOver(true);
    },
    onDragLeave: () => setOver(false),
    onDrop: (event: DragEvent) => {
      event.preventDefault();
      setOver(false);
      const channel = channelDrag.read(event.dataTransfer)?.[0];
      if (channel) onDropChannel(channel);
    },
  };
  return { isOver, handlers };
}

/** To the millisecond: of the very picture on screen. */
function exactTime(at: number, format: TickFormat): string {
  const milliseconds = String(Math.floor(at) % 1000).padStart(3, '0');
  return `${formatClock(at, format)}.${milliseconds}`;
}
