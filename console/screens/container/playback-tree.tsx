// The tree of playback: a click plays that channel.
import { useMemo } from 'react';
import type { PlaybackChannel } from '../../features/playback/playback-channel.ts';
import { channelKey } from '../../features/resource-tree/resource-node.ts';
import { ResourceTree } from '../../features/resource-tree/resource-tree.tsx';

export function PlaybackTree({
  channel,
  onChoose,
}: {
  readonly channel: PlaybackChannel | null;
  readonly onChoose: (channel: PlaybackChannel) => void;
}) {
  const key = channel ? channelKey(channel.deviceSerial, channel.channelNo) : '';
  const selectedKeys = useMemo(() => new Set([key]), [key]);
  return (
    <ResourceTree
      selectedKeys={selectedKeys}
      onActivate={({ deviceSerial, channelNo }) => {
        if (deviceSerial === undefined || channelNo === undefined) return;
        // The second click of a double click must not begin anew.
        if (channelKey(deviceSerial, channelNo) !== key) onChoose({ deviceSerial, channelNo });
      }}
    />
  );
}
