// Keys of streams in the hub: device, channel and quality, written and parsed in one place.
import type { StreamQuality } from '@vedette/drivers/kit/driver.ts';

export function streamKey(deviceSerial: string, channelNo: number, quality: StreamQuality): string {
  return `${deviceSerial}/${channelNo}/${quality}`;
}

export function parseStreamKey(
  key: string,
): { deviceSerial: string; channelNo: number; quality: StreamQuality } | null {
  const match = /^([A-Za-z0-9]+)\/(\d+)\/([012])$/.exec(key);
  if (!match) return null;
  return { deviceSerial: match[1] as string, channelNo: Number(match[2]), quality: Number(match[3]) as StreamQuality };
}
