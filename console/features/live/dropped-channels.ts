// Reads what was dropped on the wall: one channel, or a device as the list of its channels.
import type { WallChannel } from './wall-model.ts';

/** Also written by the resource tree; a device carries an array. */
const CHANNEL_DRAG_TYPE = 'application/x-vedette-channel';
/** The cell of a tile that is moved. */
export const TILE_DRAG_TYPE = 'application/x-vedette-tile';

export function readDroppedChannels(transfer: DataTransfer): WallChannel[] {
  const text = transfer.getData(CHANNEL_DRAG_TYPE);
  if (text === '') return [];
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    // Another page may drop anything under this type.
    if (error instanceof SyntaxError) return [];
    throw error;
  }
  return (Array.isArray(value) ? value : [value]).flatMap((one: unknown) => {
    if (typeof one !== 'object' || one === null) return [];
    const { deviceSerial, channelNo } = one as Partial<WallChannel>;
    return typeof deviceSerial === 'string' && typeof channelNo === 'number' ? [{ deviceSerial, channelNo }] : [];
  });
}
