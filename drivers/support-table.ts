// Support table of the drivers in docs/devices.md: the sections are read from the code, the proofs are listed here.
import { SECTION_NAMES, type SectionName } from '@vedette/contract/config/section-names.ts';
import { dahuaCgi } from './vendor-extensions/dahua-cgi/cgi-extension.ts';
import { isapi } from './vendor-extensions/isapi/isapi-extension.ts';
import { ONVIF_SECTIONS } from './onvif/config/onvif-config.ts';

/** `captured`: tested with answers of real devices. `independent`: with software of others. `simulator`: with our virtual devices only. */
export type Proof = 'captured' | 'independent' | 'simulator';

/** In addition conformance-suite.ts tests what every driver must do. */
const sectionProof: Readonly<Record<SectionName, Proof>> = {
  image: 'captured',
  osd: 'captured',
  video: 'captured',
  time: 'captured',
  audio: 'simulator',
  motion: 'simulator',
  humanShape: 'simulator',
  tracking: 'simulator',
  mask: 'simulator',
  storage: 'simulator',
  io: 'simulator',
};

interface Part {
  readonly name: string;
  readonly onvif: Proof | null;
  readonly rtsp: Proof | null;
}

const others: readonly Part[] = [
  { name: 'streams, codecs, sizes', onvif: 'captured', rtsp: 'independent' },
  { name: 'kind: radar, access control, AI box', onvif: 'simulator', rtsp: null },
  { name: 'keyframe on demand, snapshot', onvif: 'simulator', rtsp: null },
  { name: 'talk', onvif: 'independent', rtsp: 'independent' },
  { name: 'PTZ: pan, tilt, zoom, presets', onvif: 'captured', rtsp: null },
  { name: 'PTZ: auxiliary commands, tours, focus, iris', onvif: 'simulator', rtsp: null },
  { name: 'events: topics and items', onvif: 'captured', rtsp: null },
  { name: 'events: subscriptions and renewal', onvif: 'simulator', rtsp: null },
  { name: 'edge recordings (ONVIF profile G)', onvif: 'simulator', rtsp: null },
  { name: 'restart', onvif: 'simulator', rtsp: null },
  { name: 'firmware upgrade, by HTTP or MTOM', onvif: 'simulator', rtsp: null },
];

export function supportTable(): string {
  const columns = ['part', 'onvif', '+ Hikvision ISAPI', '+ Dahua CGI', 'rtsp'];
  const rows = [
    ...SECTION_NAMES.map((name) => [
      `configuration: ${name}`,
      ONVIF_SECTIONS.includes(name) ? sectionProof[name] : '–',
      isapi.parts[name] === undefined ? '–' : 'simulator',
      dahuaCgi.parts[name] === undefined ? '–' : 'simulator',
      '–',
    ]),
    ['configuration: formatting a disk', '–', 'simulator', 'simulator', '–'],
    ['configuration: whether old recordings are overwritten', '–', 'simulator', 'simulator', '–'],
    ...others.map(({ name, onvif, rtsp }) => [name, onvif ?? '–', '–', '–', rtsp ?? '–']),
  ];
  return [columns, columns.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}
