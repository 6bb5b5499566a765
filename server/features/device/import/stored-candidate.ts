// Device candidate from a CSV row, for devices stored without probing.
import { DEVICE_TYPE } from '@vedette/contract/enumerations.ts';
import type { SiteCandidate } from '@vedette/contract/site/site.ts';
import type { ParsedRow } from '@vedette/rules/onboarding/import-rows.ts';

/** Ports that are RTSP's by custom; everything else is asked by ONVIF. */
const rtspPort = /:(?:554|8554)$/u;
const devicePath = '/onvif/device_service';

/** Its first channel is there at once; its streams are learnt when it comes online. */
export function storedCandidate(row: Omit<ParsedRow, 'problems'>, target: string): SiteCandidate {
  const isRtsp = /^rtsps?:/iu.test(target) || (!/^https?:/iu.test(target) && rtspPort.test(target));
  const url = isRtsp ? rtspUrl(target) : onvifUrl(target);
  return {
    probeId: '',
    driver: isRtsp ? 'rtsp' : 'onvif',
    native: isRtsp ? { urls: [url] } : { url, keepHost: true, authMode: null, sources: [] },
    deviceSerial: row.serial,
    deviceName: row.name,
    deviceType: row.type ?? DEVICE_TYPE.IPC,
    manufacturer: '',
    deviceModel: '',
    deviceVersion: '',
    address: target,
    channels: [{ channelNo: 1, channelName: row.name, streams: [] }],
    capabilities: [],
    warnings: [],
  };
}

function rtspUrl(target: string): string {
  return /^rtsps?:/iu.test(target) ? target : `rtsp://${target}`;
}

function onvifUrl(target: string): string {
  const url = new URL(/^https?:/iu.test(target) ? target : `http://${target}`);
  if (url.pathname === '/') url.pathname = devicePath;
  return url.href;
}
