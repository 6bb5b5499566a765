// The picture that a program sends with an event: read from base64, and refused unless it is a JPEG or PNG of a bounded size.
import { EVENT_PICTURE } from '@vedette/contract/limits.ts';
import type { FieldProblem } from '../validation/field-problem.ts';

export interface EventPicture {
  readonly contentType: 'image/jpeg' | 'image/png';
  readonly data: Buffer;
}

interface PictureHeader {
  readonly contentType: EventPicture['contentType'];
  readonly width: number;
  readonly height: number;
}

/** Small files can name gigantic pictures, which stop the browser that shows them: hence the limit of pixels. */
export function readEventPicture(base64: string): EventPicture | FieldProblem {
  const data = Buffer.from(base64, 'base64');
  // Decoding skips what is no base64: only what encodes to the same text was whole.
  if (data.toString('base64') !== base64) return 'format';
  if (data.length > EVENT_PICTURE.bytes) return 'tooLong';
  const header = readPng(data) ?? readJpeg(data);
  if (header === null || header.width === 0 || header.height === 0) return 'format';
  if (Math.max(header.width, header.height) > EVENT_PICTURE.sidePx) return 'tooBig';
  return { contentType: header.contentType, data };
}

/** The signature, then the chunk IHDR with both sides (ISO/IEC 15948). */
const PNG_START = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex');

function readPng(data: Buffer): PictureHeader | null {
  if (data.length < 33 || !data.subarray(0, PNG_START.length).equals(PNG_START)) return null;
  return { contentType: 'image/png', width: data.readUInt32BE(16), height: data.readUInt32BE(20) };
}

const MAX_SEGMENTS = 256;
/** Frames of every coding; the three numbers between them are tables (ITU-T T.81, table B.1). */
const isStartOfFrame = (marker: number) => marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);

/** Segment after segment up to the start of the frame, which has both sides. */
function readJpeg(data: Buffer): PictureHeader | null {
  if (data.length < 4 || data.readUInt16BE(0) !== 0xffd8) return null;
  let at = 2;
  for (let count = 0; count < MAX_SEGMENTS && at + 9 <= data.length && data[at] === 0xff; count += 1) {
    const marker = data[at + 1] ?? 0;
    if (isStartOfFrame(marker)) {
      return { contentType: 'image/jpeg', width: data.readUInt16BE(at + 7), height: data.readUInt16BE(at + 5) };
    }
    // Any number of fill bytes may stand ahead of a marker.
    at += marker === 0xff ? 1 : 2 + data.readUInt16BE(at + 2);
  }
  return null;
}
