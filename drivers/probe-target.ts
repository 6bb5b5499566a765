// Parses what a user types as the address of a device, and lists the endpoints to probe, in order.
import { parseRtspUrl, storedUrl } from '@vedette/protocols/rtsp/request-url.ts';
import type { DeviceCredentials } from './kit/driver.ts';
import type { DriverId } from './registry.ts';

export interface ProbePlace {
  readonly driver: DriverId;
  readonly url: string;
}

export interface ParsedTarget {
  /** In order of preference; the first that answers as its protocol wins. */
  readonly places: readonly ProbePlace[];
  /** User and password written into the address itself, or null. */
  readonly credentials: DeviceCredentials | null;
}

/** Where ONVIF services are usually found, after the standard's own port. */
export const onvifPorts = [80, 8000, 8080, 8899, 2020] as const;
export const rtspPorts = [554, 8554] as const;
export const devicePath = '/onvif/device_service';

/** Null for text that is no address: to be refused as bad input, not as a device error. */
export function parseProbeTarget(text: string): ParsedTarget | null {
  const target = text.trim();
  if (target.length > 512) return null;
  if (/^rtsps?:/iu.test(target)) return rtspTarget(target);
  if (/\s/u.test(target)) return null;
  if (/^https?:/iu.test(target)) return httpTarget(target);
  return /^[a-z][a-z0-9+.-]*:\/\//iu.test(target) ? null : hostTarget(target);
}

function rtspTarget(target: string): ParsedTarget | null {
  const parsed = parseRtspUrl(target);
  if (parsed === null) return null;
  return { places: [{ driver: 'rtsp', url: storedUrl(parsed) }], credentials: parsed.credentials };
}

function httpTarget(target: string): ParsedTarget | null {
  const url = URL.parse(target);
  if (url === null || !/^https?:\/\//iu.test(target)) return null;
  const credentials = credentialsOf(url);
  url.username = '';
  url.password = '';
  url.hash = '';
  if (url.pathname === '/') url.pathname = devicePath;
  return { places: [{ driver: 'onvif', url: url.href }], credentials };
}

/** `host`, `host:port`, `[v6]:port`, a bare IPv6 address; with a port only that port is asked. */
function hostTarget(target: string): ParsedTarget | null {
  const isBareV6 = /^[0-9a-f:.]+(?:%\w+)?$/iu.test(target) && target.split(':').length > 2;
  const url = URL.parse(`http://${isBareV6 ? `[${target}]` : target}`);
  if (url === null || !isHostAlone(url)) return null;
  const givenPort = isBareV6 ? undefined : /:(\d{1,5})$/u.exec(target)?.[1];
  const onvif = givenPort === undefined ? onvifPorts : [Number(givenPort)];
  const rtsp = givenPort === undefined ? rtspPorts : [Number(givenPort)];
  const places: ProbePlace[] = [
    ...onvif.map((port) => ({
      driver: 'onvif' as const,
      url: `http://${url.hostname}${port === 80 ? '' : `:${port}`}${devicePath}`,
    })),
    ...rtsp.map((port) => ({
      driver: 'rtsp' as const,
      url: `rtsp://${url.hostname}${port === 554 ? '' : `:${port}`}`,
    })),
  ];
  return { places, credentials: null };
}

function isHostAlone({ pathname, search, hash, username }: URL): boolean {
  return pathname === '/' && search === '' && hash === '' && username === '';
}

function credentialsOf(url: URL): DeviceCredentials | null {
  if (url.username === '' && url.password === '') return null;
  return { user: decode(url.username), password: decode(url.password) };
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch (error) {
    if (!(error instanceof URIError)) throw error;
    return text;
  }
}
