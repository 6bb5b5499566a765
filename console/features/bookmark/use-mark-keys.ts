// Keys of marks on the timeline, listed in the key sheet.
import { useKeys } from '../../keys/key-registry.ts';

const GROUP = 'screen.playback' as const;

export interface MarkCommands {
  markStart(): void;
  markEnd(): void;
  bookmark(): void;
  lock(): void;
  exportRange(): void;
}

export function useMarkKeys(commands: MarkCommands): void {
  useKeys([
    { keys: 'i', label: 'export.markStart', group: GROUP, run: commands.markStart },
    { keys: 'o', label: 'export.markEnd', group: GROUP, run: commands.markEnd },
    { keys: 'b', label: 'marks.bookmarkHere', group: GROUP, run: commands.bookmark },
    { keys: 'Shift+L', label: 'marks.lockRange', group: GROUP, run: commands.lock },
    { keys: 'Shift+E', label: 'export.start', group: GROUP, run: commands.exportRange },
  ]);
}
