// The bytes ahead of a shared payload: WebSocket frame head (RFC 6455 5.2) and the 12-byte media header of the contract.
import { LIVE_FLAG_KEY, LIVE_HEADER_BYTES, LIVE_KIND } from '@vedette/contract/media-wire.ts';

const FINAL_BINARY = 0x82;

/** A server's frame is not masked, so one payload can stand behind many heads. */
export function writeFrameHead(
  kind: keyof typeof LIVE_KIND,
  isKey: boolean,
  id: number,
  wallMs: number,
  payloadBytes: number,
): Buffer {
  const bytes = LIVE_HEADER_BYTES + payloadBytes;
  const lengthBytes = bytes < 126 ? 0 : bytes < 65_536 ? 2 : 8;
  const head = Buffer.allocUnsafe(2 + lengthBytes + LIVE_HEADER_BYTES);
  head[0] = FINAL_BINARY;
  if (lengthBytes === 0) head[1] = bytes;
  else if (lengthBytes === 2) {
    head[1] = 126;
    head.writeUInt16BE(bytes, 2);
  } else {
    head[1] = 127;
    head.writeUInt32BE(0, 2);
    head.writeUInt32BE(bytes, 6);
  }
  const at = 2 + lengthBytes;
  head[at] = LIVE_KIND[kind];
  head[at + 1] = isKey ? LIVE_FLAG_KEY : 0;
  head.writeUInt16BE(id, at + 2);
  head.writeDoubleBE(wallMs, at + 4);
  return head;
}
