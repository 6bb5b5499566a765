// Reads what stands ahead of the entropy-coded bytes of a baseline JPEG (ITU-T T.81 annex B).

export interface JpegFacts {
  readonly width: number;
  readonly height: number;
  /** Null for any other arrangement of the colour planes. */
  readonly sampling: '4:2:2' | '4:2:0' | null;
  /** Tables in zigzag order by their number, with 64 bytes each. */
  readonly quantisation: readonly (Uint8Array | undefined)[];
  readonly restartInterval: number;
  /** Where the entropy-coded bytes begin and end; the end mark is not among them. */
  readonly scanStart: number;
  readonly scanEnd: number;
}

const MARKER = { startOfFrame: 0xc0, startOfScan: 0xda, quantisation: 0xdb, restart: 0xdd } as const;
const MAX_SEGMENTS = 64;
const samplingByLumaFactors = new Map<number, '4:2:0' | '4:2:2'>([
  [0x22, '4:2:0'],
  [0x21, '4:2:2'],
]);

interface Draft {
  width: number;
  height: number;
  sampling: JpegFacts['sampling'];
  readonly quantisation: (Uint8Array | undefined)[];
  restartInterval: number;
}

/** What single segments say, as they stand in RTP header extensions; nothing for what they do not. */
export type JpegSegments = Pick<JpegFacts, 'width' | 'height' | 'sampling' | 'quantisation' | 'restartInterval'>;

/** Segments one after another, filled up with 0xff; whatever follows the first that is cut is left out. */
export function readJpegSegments(bytes: Uint8Array): JpegSegments {
  const draft = emptyDraft();
  for (let at = 0, count = 0; count < MAX_SEGMENTS && bytes[at] === 0xff; ) {
    const marker = bytes[at + 1] ?? 0;
    if (marker === 0xff || marker === 0xd8) {
      at += marker === 0xff ? 1 : 2;
      continue;
    }
    const end = at + 2 + read16(bytes, at + 2);
    if (end > bytes.length) break;
    readSegment(draft, marker, bytes.subarray(at + 4, end));
    at = end;
    count += 1;
  }
  return draft;
}

function emptyDraft(): Draft {
  return { width: 0, height: 0, sampling: null, quantisation: [], restartInterval: 0 };
}

/** Null when it is no baseline JPEG, or ends ahead of its picture. */
export function readJpeg(bytes: Uint8Array): JpegFacts | null {
  if (bytes[0] !== 0xff || bytes[1] !== 0xd8) return null;
  const draft = emptyDraft();
  let at = 2;
  for (let count = 0; count < MAX_SEGMENTS; count++) {
    if (bytes[at] !== 0xff || at + 4 > bytes.length) return null;
    const marker = bytes[at + 1] as number;
    const end = at + 2 + read16(bytes, at + 2);
    if (end > bytes.length) return null;
    if (marker === MARKER.startOfScan)
      return draft.width > 0 ? { ...draft, scanStart: end, scanEnd: scanEnd(bytes) } : null;
    readSegment(draft, marker, bytes.subarray(at + 4, end));
    at = end;
  }
  return null;
}

function readSegment(draft: Draft, marker: number, content: Uint8Array): void {
  if (marker === MARKER.startOfFrame && content.length >= 15) {
    draft.height = read16(content, 1);
    draft.width = read16(content, 3);
    draft.sampling = samplingOf(content);
  } else if (marker === MARKER.restart && content.length >= 2) draft.restartInterval = read16(content, 0);
  else if (marker === MARKER.quantisation) readQuantisation(draft, content);
}

/** Luma by its factors, where both chroma planes are sampled once. */
function samplingOf(frame: Uint8Array): JpegFacts['sampling'] {
  const isColour = frame[5] === 3 && frame[10] === 0x11 && frame[13] === 0x11;
  if (!isColour) return null;
  return samplingByLumaFactors.get(frame[7] ?? 0) ?? null;
}

function readQuantisation(draft: Draft, content: Uint8Array): void {
  for (let at = 0; at + 65 <= content.length; at += 65) {
    const kind = content[at] as number;
    // Tables of 16 bits are not baseline.
    if (kind > 3) return;
    draft.quantisation[kind] = content.subarray(at + 1, at + 65);
  }
}

function scanEnd(bytes: Uint8Array): number {
  const { length } = bytes;
  return bytes[length - 2] === 0xff && bytes[length - 1] === 0xd9 ? length - 2 : length;
}

function read16(bytes: Uint8Array, at: number): number {
  return ((bytes[at] ?? 0) << 8) | (bytes[at + 1] ?? 0);
}
