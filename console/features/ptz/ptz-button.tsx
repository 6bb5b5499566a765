// The button of a tile that starts and ends PTZ control; only cameras with PTZ have it.
import picture from '../../ui/picture-button.module.css';
import { IconArrowsMove } from '@tabler/icons-react';
import { useT } from '../../language/use-t.ts';
import { useCaller } from '../../services/services.ts';
import { Tip } from '../../ui/buttons/tip.tsx';
import style from './ptz.module.css';
import { useCapabilities } from '../live/channel/capabilities.query.ts';
import { canMove } from './can-move.ts';
import { isControlled, takeControl, type PtzChannel, usePtzControl } from './ptz-control.ts';

export interface PtzButtonProps {
  readonly channel: PtzChannel;
  /** Only the selected tile's buttons are stops of the Tab key. */
  readonly isStop: boolean;
  /** The pointer or the focus has been on the tile. */
  readonly isEngaged: boolean;
}

export function PtzButton({ channel, isStop, isEngaged }: PtzButtonProps) {
  const t = useT();
  const caller = useCaller();
  const isOn = usePtzControl(() => isControlled(channel));
  const capabilities = useCapabilities(channel, isEngaged || isOn);
  if (!canMove(capabilities)) return null;
  const label = t(isOn ? 'ptz.leave' : 'ptz.button');
  return (
    <Tip label={label} shortcut="P">
      <button
        type="button"
        className={`${picture.button} ${style.toggle}`}
        aria-label={label}
        aria-pressed={isOn}
        tabIndex={isStop ? 0 : -1}
        onClick={(event) => {
          event.stopPropagation();
          takeControl(caller, isOn ? null : channel);
        }}
      >
        <IconArrowsMove size={16} stroke={1.7} />
      </button>
    </Tip>
  );
}
