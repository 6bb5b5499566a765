// Keys of playback, listed in the key sheet.
import { useKeys } from '../../keys/key-registry.ts';
import type { PlaybackCommands } from './playback-commands.ts';

const GROUP = 'screen.playback';

/** Arrows and Space belong to the tree, a menu or a button while those have the focus. */
function isElsewhere({ target }: KeyboardEvent): boolean {
  if (!(target instanceof Element)) return false;
  return target.closest('[role="tree"],[role="menu"],[role="radiogroup"],button,a') !== null;
}

export function usePlaybackKeys(commands: PlaybackCommands, onGoTo: () => void): void {
  const here = (run: () => void) => (event: KeyboardEvent) => {
    if (!isElsewhere(event)) run();
  };
  useKeys([
    { keys: 'Space', label: 'playback.toggle', group: GROUP, run: here(commands.toggle) },
    { keys: 'ArrowLeft', label: 'playback.back10', group: GROUP, run: here(() => commands.skip(-10)) },
    { keys: 'ArrowRight', label: 'playback.forward10', group: GROUP, run: here(() => commands.skip(10)) },
    { keys: ',', label: 'playback.stepBack', group: GROUP, run: () => commands.step(-1) },
    { keys: '.', label: 'playback.step', group: GROUP, run: () => commands.step(1) },
    { keys: 'n', label: 'playback.next', group: GROUP, run: commands.next },
    { keys: 'b', label: 'playback.previous', group: GROUP, run: commands.previous },
    { keys: 'l', label: 'playback.latest', group: GROUP, run: commands.latest },
    { keys: 't', label: 'playback.goToTime', group: GROUP, run: onGoTo },
    { keys: 'm', label: 'live.unmute', group: GROUP, run: commands.toggleSound },
  ]);
}
