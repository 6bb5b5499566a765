// Instant replay on the wall: its button and picture in every tile that may be replayed, the key for the selected one.
import { ReplayButton } from '../../features/instant-replay/replay-button.tsx';
import { ReplayOverlay } from '../../features/instant-replay/replay-overlay.tsx';
import { useReplayKey } from '../../features/instant-replay/use-replay-key.ts';
import { useChannelFacts } from '../../features/live/channel/channel-facts.ts';
import type { TileExtras } from '../../features/live/tile/tile-extras.ts';
import { wallChannelKey } from '../../features/live/wall/wall-model.ts';
import { useWall } from '../../features/live/wall/wall-store.ts';

export const REPLAY_EXTRAS: TileExtras = {
  actions: ({ channel, isStop }) => channel.canRecord && <ReplayButton channel={channel} isStop={isStop} />,
  overlay: ({ channel }) => channel.canRecord && <ReplayOverlay channel={channel} />,
};

export function useWallReplay(): void {
  const channel = useWall((wall) => wall.cells[wall.selected] ?? null);
  const canReplay = useChannelFacts(({ byKey }) => channel && byKey.get(wallChannelKey(channel))?.canRecord === true);
  useReplayKey(canReplay === true ? channel : null);
}
