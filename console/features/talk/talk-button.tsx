// The microphone button of a tile: hold to talk, tap to keep talking.
import picture from '../../ui/picture-button.module.css';
import { IconMicrophone, IconMicrophoneFilled } from '@tabler/icons-react';
import type { KeyboardEvent, PointerEvent } from 'react';
import { useT } from '../../language/use-t.ts';
import { Tip } from '../../ui/buttons/tip.tsx';
import { useCapabilities } from '../live/channel/capabilities.query.ts';
import style from './talk.module.css';
import { isOpen, isTalkingTo, stopTalk, type TalkChannel, useTalk } from './talk-store.ts';
import { usePushToTalk } from './use-push-to-talk.ts';

export interface TalkButtonProps {
  readonly channel: TalkChannel;
  /** Only the selected tile's buttons are stops of the Tab key. */
  readonly isStop: boolean;
  /** The pointer or the focus has been on the tile. */
  readonly isEngaged: boolean;
}

export function TalkButton({ channel, isStop, isEngaged }: TalkButtonProps) {
  const t = useT();
  const { deviceSerial, channelNo } = channel;
  const isTalking = useTalk(({ present }) => isOpen(present) && isTalkingTo(present, channel));
  const hasNone = useTalk(({ withoutLoudspeaker }) => withoutLoudspeaker.has(deviceSerial));
  const canTalk = useCapabilities(channel, isEngaged || isTalking).includes('talk');
  const push = usePushToTalk({ deviceSerial, channelNo });
  if (hasNone || !(canTalk || isTalking)) return null;
  const hold = (event: PointerEvent<HTMLButtonElement>): void => {
    if (event.button !== 0) return;
    event.stopPropagation();
    // The finger may slide off the button while it is held.
    event.currentTarget.setPointerCapture(event.pointerId);
    push.press(event.timeStamp);
  };
  const letGo = (event: PointerEvent<HTMLButtonElement>): void => push.release(event.timeStamp);
  const isPush = ({ key }: KeyboardEvent): boolean => key === ' ' || key === 'Enter';
  const Icon = isTalking ? IconMicrophoneFilled : IconMicrophone;
  return (
    <Tip label={t(isTalking ? 'talk.stop' : 'talk.button')} shortcut="T">
      <button
        type="button"
        className={`${picture.button} ${style.button}`}
        aria-label={t(isTalking ? 'talk.stop' : 'talk.button')}
        aria-pressed={isTalking}
        tabIndex={isStop ? 0 : -1}
        draggable
        onDragStart={(event) => event.preventDefault()}
        onPointerDown={hold}
        onPointerUp={letGo}
        onPointerCancel={letGo}
        onClick={(event) => event.stopPropagation()}
        onKeyDown={(event) => {
          if (!isPush(event)) return;
          event.preventDefault();
          event.stopPropagation();
          if (!event.repeat) push.press(event.timeStamp);
        }}
        onKeyUp={(event) => {
          if (isPush(event)) push.release(event.timeStamp);
        }}
        onBlur={() => {
          if (isTalking && !useTalk.getState().present?.isLatched) stopTalk();
        }}
      >
        <Icon size={16} stroke={1.7} />
      </button>
    </Tip>
  );
}
