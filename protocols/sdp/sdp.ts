// Reads session descriptions as cameras really write them (RFC 4566; lenient where devices differ, bounded everywhere).

export interface SdpMedia {
  readonly kind: string;
  readonly protocol: string;
  readonly payloadType: number;
  /** Encoding name in upper case, from rtpmap or the static table; '' when unknown. */
  readonly encoding: string;
  readonly clockRate: number;
  readonly channels: number;
  /** fmtp parameters, names in lower case. */
  readonly parameters: ReadonlyMap<string, string>;
  readonly control: string;
  readonly direction: 'sendrecv' | 'sendonly' | 'recvonly' | 'inactive';
  /** Pixels by `x-dimensions` or `framesize` (3GPP TS 26.234); null where the device says nothing of it. */
  readonly size: { readonly width: number; readonly height: number } | null;
  /** The other payload types of its line, in order; those have none themselves. */
  readonly alternatives: readonly SdpMedia[];
}

export interface Sdp {
  readonly control: string;
  readonly media: readonly SdpMedia[];
}

export type SdpErrorCode = 'too-long' | 'too-many-media' | 'no-version';

/** The only error of the parser. */
export class SdpError extends Error {
  readonly code: SdpErrorCode;

  constructor(code: SdpErrorCode) {
    super(`session description refused: ${code}`);
    this.name = 'SdpError';
    this.code = code;
  }
}

export const SDP_LIMITS = { bytes: 131_072, media: 32, typesOfMedia: 16 } as const;

/** RFC 3551 table 4 and 5, the types cameras use without rtpmap. */
const STATIC_TYPES = new Map<number, readonly [encoding: string, clockRate: number]>([
  [0, ['PCMU', 8000]],
  [8, ['PCMA', 8000]],
  [9, ['G722', 8000]],
  [14, ['MPA', 90_000]],
  [26, ['JPEG', 90_000]],
  [32, ['MPV', 90_000]],
]);

interface Draft {
  kind: string;
  protocol: string;
  payloadTypes: readonly number[];
  control: string;
  direction: SdpMedia['direction'] | null;
  size: SdpMedia['size'];
  /** Attribute lines `name:value` in order. */
  readonly rtpmaps: [type: number, value: string][];
  readonly fmtps: [type: number, value: string][];
}

export function parseSdp(text: string): Sdp {
  if (text.length > SDP_LIMITS.bytes) throw new SdpError('too-long');
  const lines = text.split(/\r\n|\n|\r/).map((line) => line.trim());
  // Some devices leave out the version; what has media is a description all the same.
  if (!lines.some((line) => line.startsWith('v=') || line.startsWith('m='))) throw new SdpError('no-version');
  let control = '';
  let direction: SdpMedia['direction'] = 'sendrecv';
  const drafts: Draft[] = [];
  for (const line of lines) {
    const draft = drafts.at(-1);
    if (line.startsWith('m=')) {
      if (drafts.length === SDP_LIMITS.media) throw new SdpError('too-many-media');
      drafts.push(startMedia(line.slice(2)));
    } else if (line.startsWith('a=') && draft) addAttribute(draft, line.slice(2));
    else if (line.startsWith('a=control:')) control = line.slice(10).trim();
    else if (isDirection(line.slice(2))) direction = line.slice(2) as SdpMedia['direction'];
  }
  return { control, media: drafts.map((draft) => finish(draft, direction)) };
}

function isDirection(text: string): boolean {
  return text === 'sendrecv' || text === 'sendonly' || text === 'recvonly' || text === 'inactive';
}

function startMedia(value: string): Draft {
  const [kind = '', , protocol = '', ...words] = value.split(/\s+/);
  const types = words.slice(0, SDP_LIMITS.typesOfMedia).map((word) => (/^\d{1,3}$/.test(word) ? Number(word) : -1));
  const payloadTypes = types.length === 0 ? [-1] : types;
  return { kind, protocol, payloadTypes, control: '', direction: null, size: null, rtpmaps: [], fmtps: [] };
}

function addAttribute(draft: Draft, attribute: string): void {
  if (isDirection(attribute)) draft.direction = attribute as SdpMedia['direction'];
  const colon = attribute.indexOf(':');
  const value = attribute.slice(colon + 1).trim();
  const name = attribute.slice(0, colon).toLowerCase();
  if (name === 'control') draft.control = value;
  if (name === 'x-dimensions') draft.size = readSize(value);
  if (name === 'framesize') draft.size ??= readSize(value.replace(/^\d{1,3}\s+/, ''));
  if (name !== 'rtpmap' && name !== 'fmtp') return;
  const parts = /^(\d{1,3})\s+(.*)$/s.exec(value);
  if (parts) (name === 'rtpmap' ? draft.rtpmaps : draft.fmtps).push([Number(parts[1]), parts[2] as string]);
}

function readSize(value: string): SdpMedia['size'] {
  const [, width, height] = /^(\d{1,5})\s*[,-]\s*(\d{1,5})$/.exec(value) ?? [];
  return Number(width) > 0 && Number(height) > 0 ? { width: Number(width), height: Number(height) } : null;
}

function finish(draft: Draft, sessionDirection: SdpMedia['direction']): SdpMedia {
  const [first = -1, ...others] = draft.payloadTypes;
  const alternatives = others.map((type) => ofType(draft, type, sessionDirection));
  return { ...ofType(draft, first, sessionDirection), alternatives };
}

function ofType(draft: Draft, payloadType: number, sessionDirection: SdpMedia['direction']): SdpMedia {
  const known = STATIC_TYPES.get(payloadType);
  const map = attributeOf(draft.rtpmaps, payloadType);
  const { encoding, clockRate, channels } = readRtpmap(map);
  return {
    kind: draft.kind,
    protocol: draft.protocol,
    payloadType,
    encoding: map === '' ? (known?.[0] ?? '') : encoding,
    clockRate: clockRate || known?.[1] || (draft.kind === 'video' ? 90_000 : 8000),
    channels: channels || 1,
    parameters: parseParameters(attributeOf(draft.fmtps, payloadType)),
    control: draft.control,
    direction: draft.direction ?? sessionDirection,
    size: draft.size,
    alternatives: [],
  };
}

/** '' where the type has none. */
function attributeOf(lines: Draft['rtpmaps'], payloadType: number): string {
  return lines.find(([type]) => type === payloadType)?.[1] ?? '';
}

/** 0 for numbers that are left out. */
function readRtpmap(map: string): Pick<SdpMedia, 'encoding' | 'clockRate' | 'channels'> {
  const [, encoding = '', clock = '', channels = ''] =
    /^([^/\s]+)\s*(?:\/\s*(\d{1,9}))?(?:\/(\d{1,2}))?/.exec(map) ?? [];
  return { encoding: encoding.toUpperCase(), clockRate: Number(clock), channels: Number(channels) };
}

function parseParameters(text: string): Map<string, string> {
  const parameters = new Map<string, string>();
  for (const part of text.split(';').slice(0, 64)) {
    const equals = part.indexOf('=');
    const name = (equals < 0 ? part : part.slice(0, equals)).trim().toLowerCase();
    if (name !== '' && !parameters.has(name)) parameters.set(name, equals < 0 ? '' : part.slice(equals + 1).trim());
  }
  return parameters;
}
