// Detects leading frames of an open GOP (H.264): decoded after the keyframe, shown before it, and dependent on the previous GOP.
import { H264_NAL, h264NalType } from '@vedette/protocols/h264/nal.ts';

/**
 * They cannot be decoded from a recovery point on, and browsers fail on them. Since viewers, seeks and files start at
 * any keyframe, they are dropped for all: two or three frames per GOP, of few devices.
 */
export class LeadingFrames {
  /** RTP time of the keyframe of the open GOP; null in a closed GOP. */
  #openedAt: number | null = null;

  /** `data`: NAL units with 4-byte length prefixes; `timestamp`: 32-bit RTP time that wraps. */
  has(data: Uint8Array, timestamp: number, isKey: boolean): boolean {
    if (isKey) this.#openedAt = hasIdr(data) ? null : timestamp;
    return this.#openedAt !== null && ((timestamp - this.#openedAt) | 0) < 0;
  }
}

function hasIdr(data: Uint8Array): boolean {
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength);
  for (let at = 0; at + 5 <= data.length; at += 4 + view.getUint32(at)) {
    if (h264NalType(data[at + 4] as number) === H264_NAL.idr) return true;
  }
  return false;
}
