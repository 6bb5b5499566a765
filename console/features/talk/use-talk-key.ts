// The key T: held it talks to the selected camera, tapped it keeps talking.
import { useEffect } from 'react';
import { useKeys } from '../../keys/key-registry.ts';
import { isOpen, stopTalk, type TalkChannel, useTalk } from './talk-store.ts';
import { usePushToTalk } from './use-push-to-talk.ts';

export function useTalkKey(channel: TalkChannel | null): void {
  const push = usePushToTalk(channel);
  useKeys([
    {
      keys: 't',
      label: 'talk.button',
      group: 'live.wall',
      run: ({ timeStamp }) => {
        // Whatever is selected now: the open line is what the key ends.
        if (isOpen(useTalk.getState().present)) stopTalk();
        else push.press(timeStamp);
      },
    },
  ]);
  useEffect(() => {
    const letGo = ({ key, timeStamp }: KeyboardEvent): void => {
      if (key === 't' || key === 'T') push.release(timeStamp);
    };
    window.addEventListener('keyup', letGo);
    return () => window.removeEventListener('keyup', letGo);
  });
}
