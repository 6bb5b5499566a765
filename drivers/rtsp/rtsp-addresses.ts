// Addresses of RTSP devices: the URL of a stream.
import { parseRtspUrl, storedUrl } from '@vedette/protocols/rtsp/request-url.ts';
import type { DriverAddresses } from '../kit/driver-addresses.ts';

export const rtspAddresses: DriverAddresses = {
  schemes: ['rtsp:', 'rtsps:'],
  ports: [554, 8554],
  urlAt: (host, port) => `rtsp://${host}${port === 554 ? '' : `:${port}`}`,
  parse: (text) => {
    const parsed = parseRtspUrl(text);
    return parsed === null ? null : { url: storedUrl(parsed), credentials: parsed.credentials };
  },
  unasked: (target) => ({ urls: [/^rtsps?:/iu.test(target) ? target : `rtsp://${target}`] }),
  dialled: ({ urls }) => {
    const first: unknown = Array.isArray(urls) ? urls[0] : undefined;
    return typeof first === 'string' ? first : undefined;
  },
};
