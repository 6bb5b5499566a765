// Talk on the wall: its button and overlay in every tile, the key for the selected one; other tiles play quieter and latency is low meanwhile.
import { useEffect } from 'react';
import { useChannelFacts } from '../../features/live/channel/channel-facts.ts';
import { requestLowLatency } from '../../features/live/channel/low-latency.ts';
import { duckAudio } from '../../features/live/tile/audio-volume.ts';
import type { TileExtras } from '../../features/live/tile/tile-extras.ts';
import { wallChannelKey } from '../../features/live/wall/wall-model.ts';
import { useWall } from '../../features/live/wall/wall-store.ts';
import { TalkButton } from '../../features/talk/talk-button.tsx';
import { TalkOverlay } from '../../features/talk/talk-overlay.tsx';
import { isOpen, isTalkingTo, stopTalk, useTalk } from '../../features/talk/talk-store.ts';
import { useTalkKey } from '../../features/talk/use-talk-key.ts';

export const TALK_EXTRAS: TileExtras = {
  actions: ({ channel, isStop, isEngaged }) =>
    channel.canTalk && <TalkButton channel={channel} isStop={isStop} isEngaged={isEngaged} />,
  overlay: ({ channel }) => <TalkOverlay channel={channel} />,
};

export function useWallTalk(): void {
  useTalkKey(useSelectedTalker());
  const partner = useTalk(({ present }) => (present && isOpen(present) ? present.channel : null));
  useEffect(() => {
    duckAudio(partner !== null);
    requestLowLatency(partner);
    return () => {
      duckAudio(false);
      requestLowLatency(null);
    };
  }, [partner]);
  useEndWithTile();
}

function useSelectedTalker() {
  const channel = useWall((wall) => wall.cells[wall.selected] ?? null);
  const facts = useChannelFacts(({ byKey }) => (channel ? byKey.get(wallChannelKey(channel)) : undefined));
  return facts?.canTalk ? facts : null;
}

/** Nobody talks through a tile that is not there any more. */
function useEndWithTile(): void {
  const present = useTalk((talk) => talk.present);
  const isOnWall = useWall((wall) => wall.cells.some((cell) => Boolean(cell && isTalkingTo(present, cell))));
  useEffect(() => {
    if (isOpen(present) && !isOnWall) stopTalk();
  }, [present, isOnWall]);
  useEffect(() => stopTalk, []);
}
