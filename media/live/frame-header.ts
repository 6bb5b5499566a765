// Headers of a shared payload: the WebSocket frame header (RFC 6455 5.2) and the contract's 12-byte media header.
import { LIVE_FLAG_KEY, LIVE_HEADER_BYTES, LIVE_KIND } from '@vedette/contract/media-wire.ts';
import { ahead, type LiveFragment } from '../stream/live-fragment.ts';

const FINAL_BINARY = 0x82;
const KINDS = { video: 'videoFragment', jpeg: 'jpeg', audio: 'audioFragment', 'audio-raw': 'audioRaw' } as const;

export type WireKind = keyof typeof LIVE_KIND;

export function wireKindOf({ kind }: LiveFragment): WireKind {
  return KINDS[kind];
}

/** Length, time and keyframe flag, as the header states them. */
export type FramePayload = Pick<LiveFragment, 'bytes' | 'isKey' | 'wallMs'>;

/** A server's frames are not masked, so one payload can be shared behind many headers. */
export function writeFrameHeader(kind: WireKind, id: number, payload: FramePayload): Buffer {
  const head = Buffer.allocUnsafe(headBytes(payload.bytes.length));
  putHead(head, kind, id, payload);
  return head;
}

/** The whole frame of a fragment in one buffer, shared by viewers that use the same id. Null for other ids. */
export function framed(fragment: LiveFragment, id: number): Buffer | null {
  if (fragment.framed) return fragment.framed.id === id ? fragment.framed.bytes : null;
  const { bytes: payload, room } = fragment;
  const count = headBytes(payload.length);
  if (room < count) return null;
  const bytes = ahead(payload, count);
  putHead(bytes, wireKindOf(fragment), id, fragment);
  fragment.framed = { id, bytes };
  return bytes;
}

function headBytes(payloadBytes: number): number {
  const bytes = LIVE_HEADER_BYTES + payloadBytes;
  return 2 + (bytes < 126 ? 0 : bytes < 65_536 ? 2 : 8) + LIVE_HEADER_BYTES;
}

function putHead(head: Buffer, kind: WireKind, id: number, { bytes: payload, isKey, wallMs }: FramePayload): void {
  const bytes = LIVE_HEADER_BYTES + payload.length;
  const at = headBytes(payload.length) - LIVE_HEADER_BYTES;
  head[0] = FINAL_BINARY;
  if (at === 2) head[1] = bytes;
  else if (at === 4) {
    head[1] = 126;
    head.writeUInt16BE(bytes, 2);
  } else {
    head[1] = 127;
    head.writeUInt32BE(0, 2);
    head.writeUInt32BE(bytes, 6);
  }
  head[at] = LIVE_KIND[kind];
  head[at + 1] = isKey ? LIVE_FLAG_KEY : 0;
  head.writeUInt16BE(id, at + 2);
  head.writeDoubleBE(wallMs, at + 4);
}
