// Frames of the tunnel: one WebSocket message each, a header of five bytes and a payload.

/** `open` carries the purpose of the stream, `room` how many more bytes may be sent (32 bits), `data` bytes; the others nothing. */
export const FRAME = { open: 0, data: 1, room: 2, end: 3, reset: 4 } as const;
export type FrameKind = keyof typeof FRAME;

const HEAD_BYTES = 5;
const KINDS = Object.entries(FRAME) as [FrameKind, number][];

export interface TunnelFrame {
  readonly kind: FrameKind;
  readonly id: number;
  readonly body: Buffer;
}

export function writeFrame(kind: FrameKind, id: number, body: Buffer = Buffer.alloc(0)): Buffer {
  const frame = Buffer.allocUnsafe(HEAD_BYTES + body.length);
  frame.writeUInt8(FRAME[kind], 0);
  frame.writeUInt32BE(id, 1);
  body.copy(frame, HEAD_BYTES);
  return frame;
}

/** Null for an invalid frame. */
export function readFrame(message: Buffer): TunnelFrame | null {
  if (message.length < HEAD_BYTES) return null;
  const kind = KINDS.find(([, number]) => number === message[0])?.[0];
  const body = message.subarray(HEAD_BYTES);
  if (kind === undefined || (kind === 'room' && body.length !== 4)) return null;
  return { kind, id: message.readUInt32BE(1), body };
}
