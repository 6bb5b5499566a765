// The controls under the picture: play, step, speed, neighbours, sound, time.
import {
  IconBroadcast,
  IconPlayerPauseFilled,
  IconPlayerPlayFilled,
  IconPlayerSkipBack,
  IconPlayerSkipForward,
  IconPlayerTrackNext,
  IconPlayerTrackPrev,
  IconRewindBackward10,
  IconRewindForward10,
  IconVolume,
  IconVolumeOff,
  IconZoomIn,
  IconZoomOut,
} from '@tabler/icons-react';
import { PLAYBACK_RATES } from '@vedette/player/playback-state.ts';
import type { Ref } from 'react';
import { useT } from '../../language/use-t.ts';
import { IconButton } from '../../ui/icon-button.tsx';
import { Segmented } from '../../ui/segmented.tsx';
import { GoToTime } from './go-to-time.tsx';
import type { PlaybackCommands } from './playback-commands.ts';
import style from './transport-bar.module.css';

export interface TransportBarProps {
  readonly commands: PlaybackCommands;
  readonly isPlaying: boolean;
  readonly isMuted: boolean;
  readonly rate: number;
  readonly isDisabled: boolean;
  readonly timeInput: Ref<HTMLInputElement>;
}

const RATES = PLAYBACK_RATES.map((rate) => ({ value: String(rate), label: `${rate}×` }));
const ICON = { size: 18, stroke: 1.6 };

export function TransportBar(props: TransportBarProps) {
  const { commands, isPlaying, isMuted, rate, isDisabled, timeInput } = props;
  const t = useT();
  return (
    <div className={style.bar} role="toolbar" aria-label={t('playback.controls')}>
      <div className={style.group}>
        <GoToTime ref={timeInput} onTime={commands.goToTime} />
      </div>
      <div className={style.group} data-middle>
        <IconButton
          data-roomy
          label={t('playback.previous')}
          shortcut="B"
          disabled={isDisabled}
          onClick={commands.previous}
        >
          <IconPlayerTrackPrev {...ICON} />
        </IconButton>
        <IconButton
          data-skip
          label={t('playback.back10')}
          shortcut="←"
          disabled={isDisabled}
          onClick={() => commands.skip(-10)}
        >
          <IconRewindBackward10 {...ICON} />
        </IconButton>
        <IconButton label={t('playback.stepBack')} shortcut="," disabled={isDisabled} onClick={() => commands.step(-1)}>
          <IconPlayerSkipBack {...ICON} />
        </IconButton>
        <button
          type="button"
          className={style.play}
          aria-label={t(isPlaying ? 'playback.pause' : 'playback.play')}
          disabled={isDisabled}
          onClick={commands.toggle}
        >
          {isPlaying ? <IconPlayerPauseFilled size={18} /> : <IconPlayerPlayFilled size={18} />}
        </button>
        <IconButton label={t('playback.step')} shortcut="." disabled={isDisabled} onClick={() => commands.step(1)}>
          <IconPlayerSkipForward {...ICON} />
        </IconButton>
        <IconButton
          data-skip
          label={t('playback.forward10')}
          shortcut="→"
          disabled={isDisabled}
          onClick={() => commands.skip(10)}
        >
          <IconRewindForward10 {...ICON} />
        </IconButton>
        <IconButton data-roomy label={t('playback.next')} shortcut="N" disabled={isDisabled} onClick={commands.next}>
          <IconPlayerTrackNext {...ICON} />
        </IconButton>
      </div>
      <div className={style.group} data-end>
        <Segmented
          label={t('playback.speed')}
          value={String(rate)}
          options={RATES}
          onValue={(value) => commands.setRate(Number(value))}
        />
        <IconButton
          label={t(isMuted ? 'live.unmute' : 'live.mute')}
          shortcut="M"
          isPressed={!isMuted}
          onClick={commands.toggleSound}
        >
          {isMuted ? <IconVolumeOff {...ICON} /> : <IconVolume {...ICON} />}
        </IconButton>
        <IconButton label={t('playback.latest')} shortcut="L" disabled={isDisabled} onClick={commands.latest}>
          <IconBroadcast {...ICON} />
        </IconButton>
        <IconButton data-roomy label={t('playback.zoomOut')} shortcut="-" onClick={() => commands.zoom(2)}>
          <IconZoomOut {...ICON} />
        </IconButton>
        <IconButton data-roomy label={t('playback.zoomIn')} shortcut="+" onClick={() => commands.zoom(0.5)}>
          <IconZoomIn {...ICON} />
        </IconButton>
      </div>
    </div>
  );
}
