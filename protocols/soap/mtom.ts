// Writes and reads MTOM packages: an envelope, and beside it as it is what would be too large within it (W3C XOP 1.0, RFC 2387).
import { soapContentType } from './envelope.ts';

export const xopPrefixes = { xop: 'http://www.w3.org/2004/08/xop/include' };

export interface MtomParts {
  readonly envelope: string;
  /** The SOAP action of the envelope. */
  readonly action: string;
  /** Letters and digits that occur in neither part. */
  readonly boundary: string;
  /** What `xop:Include` names as `cid:<contentId>`. */
  readonly contentId: string;
}

export interface MtomPackage {
  readonly contentType: string;
  /** Goes before the attached bytes, and after them. */
  readonly head: Buffer;
  readonly tail: Buffer;
}

export function writeMtom({ envelope, action, boundary, contentId }: MtomParts): MtomPackage {
  const soapType = soapContentType.split(';')[0] ?? '';
  const head = [
    `--${boundary}`,
    `Content-Type: application/xop+xml; charset=utf-8; type="${soapType}"`,
    'Content-Transfer-Encoding: binary',
    `Content-ID: <envelope@${boundary}>`,
    '',
    envelope,
    `--${boundary}`,
    'Content-Type: application/octet-stream',
    'Content-Transfer-Encoding: binary',
    `Content-ID: <${contentId}>`,
    '',
    '',
  ];
  const words = [
    'multipart/related',
    'type="application/xop+xml"',
    `start="<envelope@${boundary}>"`,
    `start-info="${soapType}"`,
    `action="${action}"`,
    `boundary="${boundary}"`,
  ];
  return {
    contentType: words.join('; '),
    head: Buffer.from(head.join('\r\n')),
    tail: Buffer.from(`\r\n--${boundary}--\r\n`),
  };
}

export interface ReadMtom {
  readonly envelope: Buffer;
  /** By content id, without its angle brackets. */
  readonly attached: ReadonlyMap<string, Buffer>;
}

/** Null for what is no such package, or a broken one. */
export function readMtom(contentType: string, body: Buffer): ReadMtom | null {
  if (!isMtom(contentType)) return null;
  const boundary = parameterOf(contentType, BOUNDARY);
  const start = parameterOf(contentType, START)?.replace(/^<|>$/gu, '');
  if (boundary === undefined) return null;
  const parts = partsOf(body, boundary);
  const root = (start === undefined ? undefined : parts?.find(({ id }) => id === start)) ?? parts?.[0];
  if (parts === null || root === undefined) return null;
  const attached = new Map(parts.filter((part) => part !== root).map(({ id, data }) => [id, data]));
  return { envelope: root.data, attached };
}

export function isMtom(contentType: string): boolean {
  return /^multipart\/related\b/iu.test(contentType);
}

interface Part {
  readonly id: string;
  readonly data: Buffer;
}

function partsOf(body: Buffer, boundary: string): Part[] | null {
  const parts: Part[] = [];
  const mark = Buffer.from(`--${boundary}`);
  let at = body.indexOf(mark);
  while (at >= 0) {
    const headStart = at + mark.length;
    if (body.toString('latin1', headStart, headStart + 2) === '--') return parts;
    const headEnd = body.indexOf('\r\n\r\n', headStart);
    const next = body.indexOf(`\r\n--${boundary}`, headStart);
    if (headEnd < 0 || next < headEnd) return null;
    const id = /^content-id:\s*<?([^>\r\n]*)>?/imu.exec(body.toString('latin1', headStart, headEnd))?.[1] ?? '';
    parts.push({ id, data: body.subarray(headEnd + 4, next) });
    at = next + 2;
  }
  return null;
}

const BOUNDARY = /;\s*boundary=(?:"([^"]*)"|([^;\s]*))/iu;
const START = /;\s*start=(?:"([^"]*)"|([^;\s]*))/iu;

function parameterOf(contentType: string, parameter: RegExp): string | undefined {
  const found = parameter.exec(contentType);
  return found?.[1] ?? found?.[2];
}
