// The address record of the RTSP driver: one URL per quality, without credentials.
import { parseRtspUrl, storedUrl } from '@vedette/protocols/rtsp/request-url.ts';
import type { DeviceNative } from '../kit/driver.ts';

export interface RtspNative extends DeviceNative {
  /** One to three, the main stream first. */
  readonly urls: readonly [string, ...string[]];
}

export function readRtspNative(native: DeviceNative): RtspNative {
  const urls = Array.isArray(native['urls']) ? native['urls'] : [];
  const [first, ...rest] = urls.slice(0, 3).map((url: unknown) => {
    const target = typeof url === 'string' ? parseRtspUrl(url) : null;
    if (target === null) throw new TypeError('an RTSP address record needs RTSP URLs');
    return storedUrl(target);
  });
  if (first === undefined) throw new TypeError('an RTSP address record needs a URL');
  return { urls: [first, ...rest] };
}
