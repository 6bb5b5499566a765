// The key B: two minutes ago in the selected tile, and back to live.
import { useKeys } from '../../keys/key-registry.ts';
import { useServices } from '../../services/services.ts';
import type { PlaybackChannel } from '../playback/playback-channel.ts';
import { toggleReplay } from './replay-store.ts';

export function useReplayKey(channel: PlaybackChannel | null): void {
  const { clock } = useServices();
  useKeys([
    {
      keys: 'b',
      label: 'replay.start',
      group: 'live.wall',
      run: () => {
        if (channel) toggleReplay(channel, clock.wallMs());
      },
    },
  ]);
}
