// Channels dragged onto a tile, in this window or another: from the tree, from a tile of playback, from a tile of the wall.
import { ownDrag } from '../../ui/own-drag.ts';

interface DraggedChannel {
  readonly deviceSerial: string;
  readonly channelNo: number;
}

/** One channel, or all channels of a device or an organisation with all below it, in the order of the tree. */
export const channelDrag = ownDrag<readonly DraggedChannel[]>({
  name: 'channels',
  parse: (what) => (Array.isArray(what) && what.every(isChannel) ? what : undefined),
});

function isChannel(one: unknown): one is DraggedChannel {
  if (typeof one !== 'object' || one === null) return false;
  const { deviceSerial, channelNo } = one as Partial<DraggedChannel>;
  return typeof deviceSerial === 'string' && Number.isInteger(channelNo);
}
