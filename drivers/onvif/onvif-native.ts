// The address record by which the ONVIF driver finds a device again; plain JSON without secrets.
import type { DeviceNative } from '../kit/driver.ts';
import type { AuthMode } from './session/soap-auth.ts';

export interface OnvifNative extends DeviceNative {
  /** URL of the device service as dialled. */
  readonly url: string;
  /** Replace the host in every address of the device by the dialled one. */
  readonly keepHost: boolean;
  readonly authMode: AuthMode | null;
  /** Video source tokens by channel number: a removed source must not renumber the others. */
  readonly sources: readonly string[];
}

export function readOnvifNative(native: DeviceNative): OnvifNative {
  const { url, keepHost, authMode, sources } = native;
  if (typeof url !== 'string' || !/^https?:$/u.test(URL.parse(url)?.protocol ?? '')) {
    throw new TypeError('an ONVIF address record needs an HTTP URL');
  }
  return {
    url,
    keepHost: keepHost !== false,
    authMode: authMode === 'ws-security' || authMode === 'digest' ? authMode : null,
    sources: Array.isArray(sources) ? sources.filter((token) => typeof token === 'string') : [],
  };
}

/** Of a device that was never asked. */
export function unaskedOnvif(url: string): OnvifNative {
  return { url, keepHost: true, authMode: null, sources: [] };
}
