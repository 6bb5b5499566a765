// The controls under the pictures: windows, time, play on and back, step, speed, sound, zoom.
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
import type { ReactNode, Ref } from 'react';
import { useT } from '../../language/use-t.ts';
import { IconButton } from '../../ui/buttons/icon-button.tsx';
import { Segmented } from '../../ui/fields/segmented.tsx';
import type { TimeFormat } from '@vedette/rules/time-format.ts';
import { BoxesButton } from '../object-boxes/boxes-button.tsx';
import { GoToTime } from './go-to-time.tsx';
import type { PlaybackCommands } from './playback-commands.ts';
import { PLAYBACK_SPLITS, type PlaybackSplit } from './playback-wall.ts';
import { SpeedMenu } from './speed-menu.tsx';
import style from './transport-bar.module.css';

export interface TransportBarProps {
  readonly commands: PlaybackCommands;
  readonly isPlaying: boolean;
  readonly isMuted: boolean;
  readonly rate: number;
  readonly canReverse: boolean;
  readonly isDisabled: boolean;
  readonly split: PlaybackSplit;
  readonly onSplit: (split: PlaybackSplit) => void;
  readonly format: TimeFormat;
  readonly timeInput: Ref<HTMLInputElement>;
  /** Date and time of the picture. */
  readonly clock: ReactNode;
  /** Beside the speed: what this browser can't do here. */
  readonly notice: ReactNode;
}

const SPLITS = PLAYBACK_SPLITS.map((split) => ({ value: String(split), label: String(split) }));
const ICON = { size: 18, stroke: 1.6 };

export function TransportBar(props: TransportBarProps) {
  const { commands, isMuted, rate, canReverse, isDisabled, split, onSplit, format, timeInput, clock, notice } = props;
  const t = useT();
  return (
    <div className={style.bar} role="toolbar" aria-label={t('playback.controls')}>
      <div className={style.group}>
        <Segmented
          label={t('playback.windows')}
          value={String(split)}
          options={SPLITS}
          onValue={(value) => onSplit(Number(value) as PlaybackSplit)}
        />
        <GoToTime ref={timeInput} format={format} onTime={commands.goToTime} />
        {clock}
      </div>
      <Middle {...props} />
      <div className={style.group} data-end>
        {notice}
        <SpeedMenu rate={rate} canReverse={canReverse} onRate={commands.setRate} />
        <IconButton
          label={t(isMuted ? 'live.unmute' : 'live.mute')}
          shortcut="M"
          isPressed={!isMuted}
          onClick={commands.toggleSound}
        >
          {isMuted ? <IconVolumeOff {...ICON} /> : <IconVolume {...ICON} />}
        </IconButton>
        <BoxesButton />
        <IconButton label={t('playback.latest')} shortcut="End" disabled={isDisabled} onClick={commands.latest}>
          <IconBroadcast {...ICON} />
        </IconButton>
        <IconButton data-roomy label={t('playback.zoomOut')} onClick={() => commands.zoom(2)}>
          <IconZoomOut {...ICON} />
        </IconButton>
        <IconButton data-roomy label={t('playback.zoomIn')} onClick={() => commands.zoom(0.5)}>
          <IconZoomIn {...ICON} />
        </IconButton>
      </div>
    </div>
  );
}

function Middle({ commands, isPlaying, rate, canReverse, isDisabled }: TransportBarProps) {
  const t = useT();
  const isReverse = isPlaying && rate < 0;
  const isForward = isPlaying && rate > 0;
  const button = { disabled: isDisabled };
  return (
    <div className={style.group} data-middle>
      <IconButton data-roomy label={t('playback.previous')} shortcut="P" {...button} onClick={commands.previous}>
        <IconPlayerTrackPrev {...ICON} />
      </IconButton>
      <IconButton data-skip label={t('playback.back10')} shortcut="←" {...button} onClick={() => commands.skip(-10)}>
        <IconRewindBackward10 {...ICON} />
      </IconButton>
      <IconButton label={t('playback.stepBack')} shortcut="," {...button} onClick={() => commands.step(-1)}>
        <IconPlayerSkipBack {...ICON} />
      </IconButton>
      {canReverse && (
        <IconButton
          label={t('playback.reverse')}
          shortcut="J"
          {...button}
          isPressed={isReverse}
          onClick={isReverse ? commands.pause : () => commands.shuttle(-1)}
        >
          <IconPlayerPlayFilled className={style.mirrored} size={17} />
        </IconButton>
      )}
      <button
        type="button"
        className={style.play}
        aria-label={t(isForward ? 'playback.pause' : 'playback.play')}
        disabled={isDisabled}
        onClick={isReverse ? () => commands.shuttle(1) : commands.toggle}
      >
        {isForward ? <IconPlayerPauseFilled size={18} /> : <IconPlayerPlayFilled size={18} />}
      </button>
      <IconButton label={t('playback.step')} shortcut="." {...button} onClick={() => commands.step(1)}>
        <IconPlayerSkipForward {...ICON} />
      </IconButton>
      <IconButton data-skip label={t('playback.forward10')} shortcut="→" {...button} onClick={() => commands.skip(10)}>
        <IconRewindForward10 {...ICON} />
      </IconButton>
      <IconButton data-roomy label={t('playback.next')} shortcut="N" {...button} onClick={commands.next}>
        <IconPlayerTrackNext {...ICON} />
      </IconButton>
    </div>
  );
}
