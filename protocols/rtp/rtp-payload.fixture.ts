// The payload of a test: the whole of the given bytes.
import type { RtpPayload } from './packet.ts';

export function payloadOf(bytes: Uint8Array, timestamp: number, marker = true): RtpPayload {
  return { payloadStart: 0, payloadEnd: bytes.length, timestamp, marker };
}
