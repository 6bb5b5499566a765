// The button of a tile that starts and ends PTZ control; only cameras with PTZ have it.
import picture from '../../ui/picture-button.module.css';
import { IconArrowsMove } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useT } from '../../language/use-t.ts';
import { useCaller } from '../../services/services.ts';
import { Tip } from '../../ui/buttons/tip.tsx';
import style from './ptz.module.css';
import { isControlled, takeControl, type PtzChannel, usePtzControl } from './ptz-control.ts';

export interface PtzButtonProps {
  readonly channel: PtzChannel;
  /** Only the selected tile's buttons are stops of the Tab key. */
  readonly isStop: boolean;
}

const MOVABLE = ['ptz', 'zoom', 'focus', 'iris', 'light', 'wiper'];

export function PtzButton({ channel, isStop }: PtzButtonProps) {
  const t = useT();
  const caller = useCaller();
  const isOn = usePtzControl(() => isControlled(channel));
  const capabilities = useCapabilities(channel, isStop || isOn);
  if (!capabilities.some((one) => MOVABLE.includes(one))) return null;
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

/** Asked of the selected tile's device alone. */
export function useCapabilities({ deviceSerial, channelNo }: PtzChannel, isAsked: boolean): readonly string[] {
  const caller = useCaller();
  const { data } = useQuery({
    queryKey: ['channel/capacity', deviceSerial, channelNo],
    queryFn: ({ signal }) => caller.ask('channel/capacity', { deviceSerial, channelNo }, { signal, showError: false }),
    enabled: isAsked,
    staleTime: 5 * 60_000,
    retry: false,
  });
  return data?.capabilities ?? [];
}
