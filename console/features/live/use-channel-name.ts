// The name of a tile's channel; the last one known where the channel is no longer among the resources, for example after a share ended.
import { useState } from 'react';
import { type WallChannel, wallChannelKey } from './wall-model.ts';

/** Falls back to the serial number, and to nothing where there is no channel. */
export function useChannelName(channel: WallChannel | null, name: string | undefined): string {
  const [known, setKnown] = useState({ key: '', name: '' });
  if (channel === null) return '';
  const key = wallChannelKey(channel);
  if (name === undefined) return known.key === key ? known.name : channel.deviceSerial;
  if (known.key !== key || known.name !== name) setKnown({ key, name });
  return name;
}
