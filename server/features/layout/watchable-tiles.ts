// Which tiles of layouts the caller may view, by the same condition as every list.
import type { Rights } from '../../auth/rights.ts';
import { visibleChannels } from '../../auth/visibility-conditions.ts';
import { channelsWhere } from '../../database/device/channel.queries.ts';
import type { Database } from '../../database/connection.ts';
import type { StoredTile } from '../../database/schema/schema.ts';

type TileChannel = Pick<StoredTile, 'deviceSerial' | 'channelNo'>;

export function tileKey({ deviceSerial, channelNo }: TileChannel): string {
  return `${deviceSerial}:${channelNo}`;
}

/** Keys of those whose channel exists and may be watched live (Realplay). */
export async function watchableTiles(
  database: Database,
  rights: Rights,
  tiles: readonly TileChannel[],
): Promise<ReadonlySet<string>> {
  const serials = [...new Set(tiles.map((tile) => tile.deviceSerial))];
  if (serials.length === 0) return new Set();
  const rows = await channelsWhere(database, visibleChannels(rights, 'Realplay'))
    .select(['device.device_serial as deviceSerial', 'channel.channel_no as channelNo'])
    .where('device.device_serial', 'in', serials)
    .execute();
  return new Set(rows.map(tileKey));
}
