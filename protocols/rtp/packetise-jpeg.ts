// Cuts baseline JPEG pictures into RTP payloads, with their quantisation tables in the first (RFC 2435 3).
import { readJpeg } from '../jpeg/read-jpeg.ts';
import { type PacketCut, RTP_PAYLOAD_LIMIT } from './packetise-video.ts';

const TABLES_IN_BAND = 255;
const MAX_SIDE = 2040;

/** Null for a picture that RTP has no words for: other colour planes, larger than 2040 pixels, or no multiple of 8. */
export function packetiseJpeg(picture: Buffer, limit = RTP_PAYLOAD_LIMIT): PacketCut[] | null {
  const facts = readJpeg(picture);
  const [luma, chroma] = facts?.quantisation ?? [];
  if (!facts || facts.sampling === null || !luma) return null;
  const { width, height, restartInterval } = facts;
  if (width > MAX_SIDE || height > MAX_SIDE || (width & 7) !== 0 || (height & 7) !== 0) return null;
  const type = (facts.sampling === '4:2:2' ? 0 : 1) | (restartInterval > 0 ? 64 : 0);
  // 0xffff: first and last piece of an interval, not counted.
  const restart = restartInterval > 0 ? [restartInterval >> 8, restartInterval & 255, 0xff, 0xff] : [];
  const tables = [0, 0, 0, 128, ...luma, ...(chroma ?? luma)];
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
