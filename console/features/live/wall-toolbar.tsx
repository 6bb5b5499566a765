// The controls of the wall: how many windows, fill, clear, full screen; layouts and the like come from the screen.
import { type WallSplit, WALL_SPLITS } from '@vedette/contract/limits.ts';
import { splitName } from '@vedette/rules/split-name.ts';
import { IconInfoCircle, IconLayoutGridAdd, IconMaximize, IconTrash } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { useT } from '../../language/use-t.ts';
import { IconButton } from '../../ui/buttons/icon-button.tsx';
import { Segmented } from '../../ui/fields/segmented.tsx';
import { SelectField } from '../../ui/fields/select-field.tsx';
import { showToast, UNDO_TOAST_MS } from '../../ui/feedback/toast-store.ts';
import { useIsPhone } from '../../ui/use-is-phone.ts';
import { BoxesButton } from '../object-boxes/boxes-button.tsx';
import { toggleTileInfo, useTileInfo } from './tile/tile-info.tsx';
import { clearWall, setSplit } from './wall/wall-model.ts';
import { changeWall, undoWall, useWall } from './wall/wall-store.ts';

export interface WallToolbarProps {
  readonly onFill: () => void;
  /** Which cameras are online is known. */
  readonly canFill: boolean;
  readonly onFullScreen: () => void;
  /** Stands before the last button. */
  readonly children?: ReactNode;
}

const PHONE_CHOICE_PX = 92;
const OPTIONS = WALL_SPLITS.map((split) => ({ value: String(split), label: splitName(split) }));

export function WallToolbar({ onFill, canFill, onFullScreen, children }: WallToolbarProps) {
  const t = useT();
  const split = useWall((wall) => wall.split);
  const isEmpty = useWall((wall) => wall.cells.every((channel) => channel === null));
  const windows = {
    label: t('live.windows'),
    value: String(split),
    options: OPTIONS,
    onValue: (value: string) => changeWall((wall) => setSplit(wall, Number(value) as WallSplit)),
  };
  const clear = (): void => {
    changeWall(clearWall);
    showToast('info', t('live.cleared'), UNDO_TOAST_MS, { label: t('common.undo'), run: undoWall });
  };
  const isPhone = useIsPhone();
  const isInfoShown = useTileInfo((info) => info.isShown);
  return (
    <>
      {isPhone ? (
        <div style={{ flex: 'none', width: PHONE_CHOICE_PX }}>
          <SelectField isLabelHidden {...windows} />
        </div>
      ) : (
        <Segmented {...windows} />
      )}
      <IconButton label={t('live.fill')} disabled={!canFill} onClick={onFill}>
        <IconLayoutGridAdd size={18} stroke={1.6} />
      </IconButton>
      <IconButton label={t('live.clear')} disabled={isEmpty} onClick={clear}>
        <IconTrash size={18} stroke={1.6} />
      </IconButton>
      <IconButton
        label={t(isInfoShown ? 'live.hideInfo' : 'live.showInfo')}
        shortcut="I"
        isPressed={isInfoShown}
        onClick={toggleTileInfo}
      >
        <IconInfoCircle size={18} stroke={1.6} />
      </IconButton>
      <BoxesButton />
      {children}
      <IconButton label={t('live.fullScreen')} shortcut="F" onClick={onFullScreen}>
        <IconMaximize size={18} stroke={1.6} />
      </IconButton>
    </>
  );
}
