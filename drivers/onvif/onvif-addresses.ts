// Addresses of ONVIF devices: the URL of the device service.
import type { DriverAddresses } from '../kit/driver-addresses.ts';
import type { DeviceCredentials } from '../kit/driver.ts';
import { unaskedOnvif } from './onvif-native.ts';

/** Where ONVIF services are usually found, after the standard's own port. */
const ports = [80, 8000, 8080, 8899, 2020] as const;
const devicePath = '/onvif/device_service';

export const onvifAddresses: DriverAddresses = {
  schemes: ['http:', 'https:'],
  ports,
  urlAt: (host, port) => `http://${host}${port === 80 ? '' : `:${port}`}${devicePath}`,
  parse: (text) => {
    const url = URL.parse(text);
    if (url === null || !/^https?:\/\/\S+$/iu.test(text)) return null;
    const credentials = credentialsOf(url);
    url.username = '';
    url.password = '';
    url.hash = '';
    return { url: serviceUrl(url), credentials };
  },
  unasked: (target) => unaskedOnvif(serviceUrl(new URL(/^https?:/iu.test(target) ? target : `http://${target}`))),
  dialled: ({ url }) => (typeof url === 'string' ? url : undefined),
};

function serviceUrl(url: URL): string {
  if (url.pathname === '/') url.pathname = devicePath;
  return url.href;
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
