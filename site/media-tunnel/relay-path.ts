// Paths of a remote site's live streams inside the media tunnel, where no ticket is needed.
import type { StreamQuality } from '@vedette/drivers/kit/driver.ts';

export interface RelayedChannel {
  /** Of a device, or of a candidate that was not added yet. */
  readonly of: 'device' | 'candidate';
  readonly name: string;
  readonly channelNo: number;
  readonly quality: StreamQuality;
}

const FORM = /^stream-of-(device|candidate)-([A-Za-z0-9]{1,64})-(\d{1,5})-([012])$/;

export function relayPath({ of, name, channelNo, quality }: RelayedChannel): string {
  return `stream-of-${of}-${name}-${channelNo}-${quality}`;
}

/** Null for another path. */
export function readRelayPath(path: string): RelayedChannel | null {
  const [, of, name, channelNo, quality] = FORM.exec(path) ?? [];
  if (name === undefined) return null;
  return {
    of: of as RelayedChannel['of'],
    name,
    channelNo: Number(channelNo),
    quality: Number(quality) as StreamQuality,
  };
}
