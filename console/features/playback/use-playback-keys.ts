// Keys of playback, listed in the key sheet.
import { useKeys } from '../../keys/key-registry.ts';
import { toggleBoxes } from '../object-boxes/box-choice.ts';
import type { PlaybackCommands } from './playback-commands.ts';
import { PLAYBACK_SPLITS, type PlaybackSplit } from './playback-wall.ts';

const GROUP = 'screen.playback' as const;
const SPLIT_LABELS = ['playback.split1', 'playback.split4', 'playback.split9', 'playback.split16'] as const;

/** Arrows and Space belong to the tree, a menu or a button while those have the focus. */
function isElsewhere({ target }: KeyboardEvent): boolean {
  if (!(target instanceof Element)) return false;
  return target.closest('[role="tree"],[role="menu"],[role="radiogroup"],button,a') !== null;
}

/** The timeline has its own use for a few keys while it has the focus. */
function isOnTimeline({ target }: KeyboardEvent): boolean {
  return target instanceof Element && target.closest('[role="slider"]') !== null;
}

export interface PlaybackKeys {
  readonly commands: PlaybackCommands;
  readonly onGoTo: () => void;
  readonly onSplit: (split: PlaybackSplit) => void;
}

export function usePlaybackKeys({ commands, onGoTo, onSplit }: PlaybackKeys): void {
  const here = (run: () => void) => (event: KeyboardEvent) => {
    if (!isElsewhere(event)) run();
  };
  const besideTimeline = (run: () => void) => (event: KeyboardEvent) => {
    if (!isElsewhere(event) && !isOnTimeline(event)) run();
  };
  useKeys([
    { keys: 'Space', label: 'playback.toggle', group: GROUP, run: here(commands.toggle) },
    { keys: 'j', label: 'playback.reverse', group: GROUP, run: () => commands.shuttle(-1) },
    { keys: 'k', label: 'playback.pause', group: GROUP, run: commands.pause },
    { keys: 'l', label: 'playback.forward', group: GROUP, run: () => commands.shuttle(1) },
    { keys: 'ArrowLeft', label: 'playback.back10', group: GROUP, run: here(() => commands.skip(-10)) },
    { keys: 'ArrowRight', label: 'playback.forward10', group: GROUP, run: here(() => commands.skip(10)) },
    { keys: ',', label: 'playback.stepBack', group: GROUP, run: () => commands.step(-1) },
    { keys: '.', label: 'playback.step', group: GROUP, run: () => commands.step(1) },
    { keys: '+', label: 'playback.faster', group: GROUP, run: besideTimeline(() => commands.faster(1)) },
    { keys: '-', label: 'playback.slower', group: GROUP, run: besideTimeline(() => commands.faster(-1)) },
    { keys: 'Home', label: 'playback.dayStart', group: GROUP, run: besideTimeline(commands.dayStart) },
    { keys: 'End', label: 'playback.latest', group: GROUP, run: besideTimeline(commands.latest) },
    { keys: 'n', label: 'playback.next', group: GROUP, run: commands.next },
    { keys: 'p', label: 'playback.previous', group: GROUP, run: commands.previous },
    { keys: 't', label: 'playback.goToTime', group: GROUP, run: onGoTo },
    { keys: 'm', label: 'live.unmute', group: GROUP, run: commands.toggleSound },
    { keys: 'd', label: 'boxes.show', group: GROUP, run: toggleBoxes },
    ...PLAYBACK_SPLITS.map((split, at) => ({
      keys: String(at + 1),
      label: SPLIT_LABELS[at] ?? SPLIT_LABELS[0],
      group: GROUP,
      run: () => onSplit(split),
    })),
  ] as const);
}
