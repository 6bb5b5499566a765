// What a scripted site finds at an address.
import type { SiteCandidate } from '@vedette/contract/site/site.ts';

/** The path of the address says what stands there: `/4` is a recorder of four channels, `/h265` a camera of H.265, all else one of H.264. */
export function candidateAt(target: string): SiteCandidate {
  const url = new URL(target);
  const count = Number(/^\/(\d+)$/.exec(url.pathname)?.[1] ?? '1');
  const codec = url.pathname === '/h265' ? 'h265' : 'h264';
  const stream = { codec, width: 1280, height: 720, fps: 25, kbps: 2000, audio: null };
  return {
    probeId: `probe-${url.host}${url.pathname}`,
    driver: 'rtsp',
    native: { urls: [target] },
    deviceSerial: `SN${[...`${url.host}${url.pathname}`].filter((char) => /[A-Za-z0-9]/.test(char)).join('')}`.slice(
      0,
      20,
    ),
    deviceName: 'Camera <b>',
    deviceType: count > 1 ? 1 : 0,
    manufacturer: 'Test',
    deviceModel: 'Model',
    deviceVersion: '1.0',
    address: url.host,
    channels: Array.from({ length: count }, (_none, index) => ({
      channelNo: index + 1,
      channelName: `Channel ${index + 1}`,
      streams: [
        { quality: 0 as const, ...stream },
        { quality: 1 as const, ...stream, width: 640, height: 360 },
      ],
    })),
    capabilities: [],
    warnings: [],
  };
}
