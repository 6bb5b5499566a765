// The picture of playback with what is said over it.
import type { PlaybackJump, PlaybackState } from '@vedette/player/playback-state.ts';
import { IconAlertTriangle, IconLock, IconPlayerSkipForward, IconRefresh, IconVideoOff } from '@tabler/icons-react';
import { formatClock, formatDateTime, type TimeFormat } from '@vedette/rules/time-format.ts';
import type { ReactNode } from 'react';
import { useT } from '../../language/use-t.ts';
import { Button } from '../../ui/button.tsx';
import type { PlaybackElements } from './use-playback-session.ts';
import { playbackSentence } from './playback-sentence.ts';
import style from './player-view.module.css';

export interface PlayerViewProps {
  readonly elements: PlaybackElements;
  readonly state: PlaybackState;
  readonly jump: PlaybackJump | null;
  readonly name: string;
  readonly format: TimeFormat;
  readonly onRetry: () => void;
  readonly onToggle: () => void;
  readonly onFullScreen: () => void;
  /** Stands in the middle instead of the picture: no channel yet, nothing on this day. */
  readonly instead: ReactNode;
}

const ICONS: Readonly<Partial<Record<PlaybackState['kind'], ReactNode>>> = {
  denied: <IconLock size={20} stroke={1.6} />,
  unsupported: <IconVideoOff size={20} stroke={1.6} />,
  failed: <IconAlertTriangle size={20} stroke={1.6} />,
  ended: <IconPlayerSkipForward size={20} stroke={1.6} />,
  empty: <IconVideoOff size={20} stroke={1.6} />,
};

export function PlayerView(props: PlayerViewProps) {
  const { elements, state, jump, name, format, onRetry, onToggle, onFullScreen, instead } = props;
  const t = useT();
  const sentence = playbackSentence(t, state);
  const hasPicture = state.kind === 'playing' || state.kind === 'paused' || state.kind === 'ended';
  return (
    <div className={style.view} data-playback data-state={state.kind}>
      {/* biome-ignore lint/a11y/useMediaCaption: a camera's recording has no captions */}
      <video
        ref={elements.video}
        className={style.picture}
        muted
        playsInline
        disablePictureInPicture
        tabIndex={-1}
        aria-label={name}
        onClick={onToggle}
        onDoubleClick={onFullScreen}
      />
      <canvas
        ref={elements.canvas}
        className={style.still}
        width={0}
        height={0}
        aria-hidden="true"
        data-shown={!hasPicture || undefined}
      />
      {instead === null ? (
        <>
          {state.kind === 'loading' && (
            <span className={style.spinner} role="status" aria-label={t('playback.loading')} />
          )}
          {sentence !== null && (
            <div className={style.message} role="status">
              <span className={style.icon} aria-hidden="true">
                {ICONS[state.kind]}
              </span>
              <p className={style.title}>{sentence.title}</p>
              {sentence.detail !== null && <p className={style.detail}>{sentence.detail}</p>}
              {sentence.canRetry && (
                <Button icon={<IconRefresh size={15} stroke={1.8} />} onClick={onRetry}>
                  {t('common.retry')}
                </Button>
              )}
            </div>
          )}
          {jump !== null && (
            <p className={style.jump} role="status">
              {t('playback.jumped', { from: formatClock(jump.from, format), to: formatDateTime(jump.to, format) })}
            </p>
          )}
          <p className={style.name}>{name}</p>
        </>
      ) : (
        <div className={style.instead}>{instead}</div>
      )}
    </div>
  );
}
