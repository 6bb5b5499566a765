// A channel that is dragged: from the tree onto a window of playback, or from one window to another.
import { readDroppedChannels } from '../live/dropped-channels.ts';
import type { PlaybackChannel } from './playback-channel.ts';

/** The type that the resource tree writes. */
const CHANNEL_DRAG_TYPE = 'application/x-vedette-channel';

export function writeDraggedChannel(transfer: DataTransfer, { deviceSerial, channelNo }: PlaybackChannel): void {
  transfer.setData(CHANNEL_DRAG_TYPE, JSON.stringify({ deviceSerial, channelNo }));
}

/** Of a device, its first channel; null for anything else. */
export function readDroppedChannel(transfer: DataTransfer): PlaybackChannel | null {
  return readDroppedChannels(transfer)[0] ?? null;
}
