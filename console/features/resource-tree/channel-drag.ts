// Channels dragged from the tree, or from one tile of playback to another: onto a tile.
import { ownDrag } from '../../ui/own-drag.ts';

/** One channel, or all channels of a device or an organisation with all below it, in the order of the tree. */
export const channelDrag = ownDrag<readonly { readonly deviceSerial: string; readonly channelNo: number }[]>();
