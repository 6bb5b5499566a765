// Push to talk: hold to talk, tap to keep talking until the next tap; one rule for the button and the key.
import { useEffect, useRef } from 'react';
import { useCaller } from '../../services/services.ts';
import { isOpen, isTalkingTo, latchTalk, startTalk, stopTalk, type TalkChannel, useTalk } from './talk-store.ts';

/** Let go sooner, and it was a tap. */
const TAP_MS = 350;

export interface PushToTalk {
  readonly press: (atMs: number) => void;
  readonly release: (atMs: number) => void;
}

export function usePushToTalk(channel: TalkChannel | null): PushToTalk {
  const caller = useCaller();
  const pressed = useRef<number | null>(null);
  // A button that goes away while it is held lets go.
  useEffect(
    () => () => {
      if (pressed.current !== null) stopTalk();
    },
    [],
  );
  return {
    press: (atMs) => {
      if (channel === null || pressed.current !== null) return;
      const { present } = useTalk.getState();
      if (isOpen(present) && isTalkingTo(present, channel)) {
        stopTalk();
        return;
      }
      pressed.current = atMs;
      startTalk(caller, channel);
    },
    release: (atMs) => {
      if (pressed.current === null) return;
      const wasTap = atMs - pressed.current < TAP_MS;
      pressed.current = null;
      if (wasTap) latchTalk();
      else stopTalk();
    },
  };
}
