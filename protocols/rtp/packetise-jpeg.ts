// Cuts baseline JPEG pictures into RTP payloads, with their quantisation tables in the first (RFC 2435 3).
import { type JpegFacts, readJpeg } from '../jpeg/read-jpeg.ts';
import { type PacketCut, RTP_PAYLOAD_LIMIT } from './packetise-video.ts';

const TABLES_IN_BAND = 255;
const MAX_SIDE = 2040;

/** Null for a picture that RTP has no words for: other colour planes, larger than 2040 pixels, or no multiple of 8. */
export function packetiseJpeg(picture: Buffer, limit = RTP_PAYLOAD_LIMIT): PacketCut[] | null {
  const facts = readJpeg(picture);
  if (facts === null) return null;
  const { width, height, restartInterval } = facts;
  const type = typeOf(facts);
  const tables = tablesInBand(facts);
  if (type === null || tables === null || !fitsSideField(width) || !fitsSideField(height)) return null;
  // 0xffff: first and last piece of an interval, not counted.
  const restart = restartInterval > 0 ? [restartInterval >> 8, restartInterval & 255, 0xff, 0xff] : [];
  const cuts: PacketCut[] = [];
  for (let at = facts.scanStart; at < facts.scanEnd; ) {
    const offset = at - facts.scanStart;
    const place = [0, (offset >> 16) & 255, (offset >> 8) & 255, offset & 255];
    const head = [...place, type, TABLES_IN_BAND, width / 8, height / 8, ...restart, ...(offset === 0 ? tables : [])];
    const end = Math.min(facts.scanEnd, at + limit - head.length);
    cuts.push({
      payload: Buffer.concat([Buffer.from(head), picture.subarray(at, end)]),
      marker: end === facts.scanEnd,
    });
    at = end;
  }
  return cuts.length === 0 ? null : cuts;
}

/** The type field (3.1.3); null for other colour planes. */
function typeOf({ sampling, restartInterval }: JpegFacts): number | null {
  if (sampling === null) return null;
  return (sampling === '4:2:2' ? 0 : 1) | (restartInterval > 0 ? 64 : 0);
}

/** Both tables with their header (3.1.8); null for a picture without any. */
function tablesInBand({ quantisation: [luma, chroma = luma] }: JpegFacts): number[] | null {
  return luma && chroma ? [0, 0, 0, 128, ...luma, ...chroma] : null;
}

/** Whether a side fits its field, which counts blocks of eight pixels. */
function fitsSideField(side: number): boolean {
  return side <= MAX_SIDE && (side & 7) === 0;
}
