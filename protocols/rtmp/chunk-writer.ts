// Writes RTMP messages as chunks (Adobe RTMP 1.0, 5.3).

export interface RtmpMessage {
  /** 2 to 63; messages of one chunk stream are in order. */
  readonly chunkStream: number;
  /** Message type, see `message-types.ts`. */
  readonly type: number;
  /** Message stream: 0 for control and commands of the connection. */
  readonly stream: number;
  /** Milliseconds, modulo 2^32. */
  readonly timestampMs: number;
  /** One behind the other. */
  readonly payload: readonly Uint8Array[];
}

/** What each side begins with (5.4.1). */
export const DEFAULT_CHUNK_BYTES = 128;
/** A greater timestamp follows the header in four bytes (5.3.1.3). */
export const EXTENDED_TIMESTAMP = 0xffffff;

const FULL_HEADER_BYTES = 12;
const CONTINUATION = 0xc0;

/** All chunks of the message, each with the whole header or with none. `chunkBytes`: the size that was last announced. */
export function writeChunks(message: RtmpMessage, chunkBytes: number): Buffer {
  const { chunkStream, type, stream, payload } = message;
  const timestampMs = message.timestampMs >>> 0;
  const length = payload.reduce((sum, part) => sum + part.length, 0);
  const extendedBytes = timestampMs >= EXTENDED_TIMESTAMP ? 4 : 0;
  const continuations = Math.max(0, Math.ceil(length / chunkBytes) - 1);
  const bytes = Buffer.allocUnsafe(FULL_HEADER_BYTES + extendedBytes + length + continuations * (1 + extendedBytes));
  bytes[0] = chunkStream;
  bytes.writeUIntBE(Math.min(timestampMs, EXTENDED_TIMESTAMP), 1, 3);
  bytes.writeUIntBE(length, 4, 3);
  bytes[7] = type;
  bytes.writeUInt32LE(stream, 8);
  if (extendedBytes > 0) bytes.writeUInt32BE(timestampMs, FULL_HEADER_BYTES);
  const body = payload.length === 1 ? (payload[0] ?? Buffer.alloc(0)) : Buffer.concat(payload);
  let at = FULL_HEADER_BYTES + extendedBytes;
  for (let from = 0; from < length; from += chunkBytes) {
    if (from > 0) {
      at = bytes.writeUInt8(CONTINUATION | chunkStream, at);
      if (extendedBytes > 0) at = bytes.writeUInt32BE(timestampMs, at);
    }
    const piece = body.subarray(from, from + chunkBytes);
    bytes.set(piece, at);
    at += piece.length;
  }
  return bytes;
}
