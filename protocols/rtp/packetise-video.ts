// Cuts H.264 and H.265 access units into RTP packets (RFC 6184 5.6, 5.8; RFC 7798 4.4.1, 4.4.3).
import { RTP_HEADER_BYTES } from './packet.ts';

export interface PacketCut {
  /** Payload of one packet. */
  readonly payload: Buffer;
  /** Last packet of the access unit. */
  readonly marker: boolean;
}

/** 1500 bytes of Ethernet less IP, UDP and RTP. */
export const RTP_PAYLOAD_LIMIT = 1460 - RTP_HEADER_BYTES;

/** `unit` is length-prefixed (4 bytes); `parameterSets` go ahead of it, as devices send them before a keyframe. */
export function packetiseH264(
  unit: Buffer,
  parameterSets: readonly Uint8Array[] = [],
  limit = RTP_PAYLOAD_LIMIT,
): PacketCut[] {
  return cutAll(unit, parameterSets, (nal) => cutH264(nal, limit));
}

export function packetiseH265(
  unit: Buffer,
  parameterSets: readonly Uint8Array[] = [],
  limit = RTP_PAYLOAD_LIMIT,
): PacketCut[] {
  return cutAll(unit, parameterSets, (nal) => cutH265(nal, limit));
}

function cutAll(unit: Buffer, sets: readonly Uint8Array[], cut: (nal: Buffer) => Buffer[]): PacketCut[] {
  const payloads = sets.flatMap((set) => cut(Buffer.from(set)));
  for (let at = 0; at + 4 <= unit.length; ) {
    const length = unit.readUInt32BE(at);
    payloads.push(...cut(unit.subarray(at + 4, at + 4 + length)));
    at += 4 + length;
  }
  return payloads.map((payload, index) => ({ payload, marker: index === payloads.length - 1 }));
}

function cutH264(nal: Buffer, limit: number): Buffer[] {
  if (nal.length <= limit) return [nal];
  const first = nal[0] as number;
  return cutPieces(nal.subarray(1), limit - 2, (flags) => [(first & 0xe0) | 28, flags | (first & 0x1f)]);
}

function cutH265(nal: Buffer, limit: number): Buffer[] {
  if (nal.length <= limit) return [nal];
  const [first, second] = [nal[0] as number, nal[1] as number];
  const type = (first >> 1) & 0x3f;
  return cutPieces(nal.subarray(2), limit - 3, (flags) => [(first & 0x81) | (49 << 1), second, flags | type]);
}

function cutPieces(body: Buffer, room: number, header: (flags: number) => number[]): Buffer[] {
  const pieces: Buffer[] = [];
  for (let at = 0; at < body.length; at += room) {
    const flags = (at === 0 ? 0x80 : 0) | (at + room >= body.length ? 0x40 : 0);
    pieces.push(Buffer.concat([Buffer.from(header(flags)), body.subarray(at, at + room)]));
  }
  return pieces;
}
