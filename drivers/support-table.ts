// What each driver supports and how far that is proven, as the rows of docs/devices.md: sections follow from the code, proofs are told here.
import { SECTION_NAMES, type SectionName } from '@vedette/contract/config/section-names.ts';
import { dahuaCgi } from './vendor-extensions/dahua-cgi/cgi-extension.ts';
import { isapi } from './vendor-extensions/isapi/isapi-extension.ts';
import { ONVIF_SECTIONS } from './onvif/config/onvif-config.ts';

/** `captured`: on answers of real devices. `independent`: on software we did not write. `simulator`: on our own virtual devices alone. */
export type Proof = 'captured' | 'independent' | 'simulator';

/** What every driver is held to is proven by conformance-suite.ts on top of it. */
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
  { name: 'key frame on demand, snapshot', onvif: 'simulator', rtsp: null },
  { name: 'talk', onvif: 'independent', rtsp: 'independent' },
  { name: 'head: turn, zoom, presets', onvif: 'captured', rtsp: null },
  { name: 'head: auxiliary, tours, focus, iris', onvif: 'simulator', rtsp: null },
  { name: 'events: topics and items', onvif: 'captured', rtsp: null },
  { name: 'events: subscriptions and renewal', onvif: 'simulator', rtsp: null },
  { name: 'recordings of the device (profile G)', onvif: 'simulator', rtsp: null },
  { name: 'restart', onvif: 'simulator', rtsp: null },
  { name: 'firmware upgrade, by HTTP or MTOM', onvif: 'simulator', rtsp: null },
];

export function supportTable(): string {
  const heads = ['part', 'onvif', '+ Hikvision ISAPI', '+ Dahua CGI', 'rtsp'];
  const rows = [
    ...SECTION_NAMES.map((name) => [
      `configuration: ${name}`,
      ONVIF_SECTIONS.includes(name) ? sectionProof[name] : '–',
      isapi.parts[name] === undefined ? '–' : 'simulator',
      dahuaCgi.parts[name] === undefined ? '–' : 'simulator',
      '–',
    ]),
    ['configuration: emptying a disk', '–', 'simulator', 'simulator', '–'],
    ['configuration: whether old footage gives way', '–', 'simulator', 'simulator', '–'],
    ...others.map(({ name, onvif, rtsp }) => [name, onvif ?? '–', '–', '–', rtsp ?? '–']),
  ];
  return [heads, heads.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}
