// The tree of playback: a click plays that channel, beside the others where there are several windows; rows can be dragged onto a window.
import { useMemo } from 'react';
import { type PlaybackChannel, playbackChannelKey } from '../../features/playback/playback-channel.ts';
import { channelsOf, type PlaybackWall, selectedChannel } from '../../features/playback/playback-wall.ts';
import { channelKey, channelOf } from '../../features/resource-tree/resource-node.ts';
import { ResourceTree } from '../../features/resource-tree/resource-tree.tsx';

export function PlaybackTree({
  wall,
  onChoose,
}: {
  readonly wall: PlaybackWall;
  readonly onChoose: (channel: PlaybackChannel) => void;
}) {
  const chosen = selectedChannel(wall);
  const key = chosen ? channelKey(chosen.deviceSerial, chosen.channelNo) : '';
  const selectedKeys = useMemo(() => new Set([key]), [key]);
  const playingKeys = useMemo(
    () => new Set(channelsOf(wall).map(({ deviceSerial, channelNo }) => channelKey(deviceSerial, channelNo))),
    [wall],
  );
  return (
    <ResourceTree
      selectedKeys={selectedKeys}
      playbackKeys={wall.split > 1 ? playingKeys : NONE}
      isDraggable
      onActivate={(node) => {
        const channel = channelOf(node);
        // The second click of a double click must not begin anew.
        if (channel && (!chosen || playbackChannelKey(channel) !== playbackChannelKey(chosen))) onChoose(channel);
      }}
    />
  );
}

const NONE: ReadonlySet<string> = new Set();
