// The controls of the wall: how many windows, fill, clear, full screen.
import { IconLayoutGrid, IconMaximize, IconTrash } from '@tabler/icons-react';
import { useT } from '../../language/use-t.ts';
import { IconButton } from '../../ui/icon-button.tsx';
import { Segmented } from '../../ui/segmented.tsx';
import { clearWall, setSplit, WALL_SPLITS, type WallSplit } from './wall-model.ts';
import { changeWall, useWall } from './wall-store.ts';

export interface WallToolbarProps {
  readonly onFill: () => void;
  readonly onFullScreen: () => void;
}

const OPTIONS = WALL_SPLITS.map((split) => ({ value: String(split), label: String(split) }));

export function WallToolbar({ onFill, onFullScreen }: WallToolbarProps) {
  const t = useT();
  const split = useWall((wall) => wall.split);
  const isEmpty = useWall((wall) => wall.cells.every((channel) => channel === null));
  return (
    <>
      <Segmented
        label={t('live.windows')}
        value={String(split)}
        options={OPTIONS}
        onValue={(value) => changeWall((wall) => setSplit(wall, Number(value) as WallSplit))}
      />
      <IconButton label={t('live.fill')} onClick={onFill}>
        <IconLayoutGrid size={18} stroke={1.6} />
      </IconButton>
      <IconButton label={t('live.clear')} disabled={isEmpty} onClick={() => changeWall(clearWall)}>
        <IconTrash size={18} stroke={1.6} />
      </IconButton>
      <IconButton label={t('live.fullScreen')} shortcut="F" onClick={onFullScreen}>
        <IconMaximize size={18} stroke={1.6} />
      </IconButton>
    </>
  );
}
