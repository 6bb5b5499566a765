// Puts audio frames into RTP payloads: one AAC frame with its AU header (RFC 3640 3.3.6), or G.711 as it is.
import { type PacketCut, RTP_PAYLOAD_LIMIT } from './packetise-video.ts';

const AU_HEADER_BYTES = 4;
/** What the 13 bits of its length hold. */
const MAX_AAC_BYTES = 8191;

/** One AAC frame in mode AAC-hbr, over several packets where it is too long for one; each tells the whole length (3.2.3.2). */
export function packetiseAac(frame: Buffer, limit = RTP_PAYLOAD_LIMIT): PacketCut[] {
  const cuts: PacketCut[] = [];
  if (frame.length > MAX_AAC_BYTES) return cuts;
  const room = limit - AU_HEADER_BYTES;
  for (let at = 0; at < frame.length; at += room) {
    const piece = frame.subarray(at, at + room);
    const payload = Buffer.allocUnsafe(AU_HEADER_BYTES + piece.length);
    payload.writeUInt16BE(16, 0);
    payload.writeUInt16BE((frame.length << 3) & 0xffff, 2);
    piece.copy(payload, AU_HEADER_BYTES);
    cuts.push({ payload, marker: at + room >= frame.length });
  }
  return cuts;
}

/** G.711 needs no payload header; frames are cut at `samples`, 160 being 20 ms. */
export function packetiseG711(sound: Buffer, samples = 160): Buffer[] {
  const payloads: Buffer[] = [];
  for (let at = 0; at < sound.length; at += samples) payloads.push(sound.subarray(at, at + samples));
  return payloads;
}
