// The button of a live tile that goes to two minutes ago, and back to live.
import { IconBroadcast, IconRewindBackward30 } from '@tabler/icons-react';
import { useT } from '../../language/use-t.ts';
import { useServices } from '../../services/services.ts';
import { Tip } from '../../ui/buttons/tip.tsx';
import picture from '../../ui/picture-button.module.css';
import type { PlaybackChannel } from '../playback/playback-channel.ts';
import { toggleReplay, useReplayStart } from './replay-store.ts';

export interface ReplayButtonProps {
  readonly channel: PlaybackChannel;
  /** Only the selected tile's buttons are stops of the Tab key. */
  readonly isStop: boolean;
}

export function ReplayButton({ channel, isStop }: ReplayButtonProps) {
  const t = useT();
  const { clock } = useServices();
  const isReplaying = useReplayStart(channel) !== null;
  const label = t(isReplaying ? 'replay.toLive' : 'replay.start');
  const Icon = isReplaying ? IconBroadcast : IconRewindBackward30;
  return (
    <Tip label={label} shortcut="B">
      <button
        type="button"
        className={picture.button}
        aria-label={label}
        aria-pressed={isReplaying}
        tabIndex={isStop ? 0 : -1}
        onClick={(event) => {
          event.stopPropagation();
          toggleReplay(channel, clock.wallMs());
        }}
      >
        <Icon size={16} stroke={1.7} />
      </button>
    </Tip>
  );
}
