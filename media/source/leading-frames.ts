// Detects leading frames of an open GOP (H.264): decoded after the keyframe, shown before it, and dependent on the previous GOP.
import { H264_NAL, h264NalType } from '@vedette/protocols/h264/nal.ts';

/**
 * Whoever begins at a recovery point cannot decode them, and browsers give up where they try. Since viewers, seeks and files
 * begin at any keyframe, such pictures are left out for all: two or three of a GOP, by the few devices that code so.
 */
export class LeadingFrames {
  /** RTP time of the keyframe that opened the GOP; null in a GOP that stands by itself. */
  #openedAt: number | null = null;

  /** `data`: NAL units, each behind its length in four bytes; `timestamp`: of RTP, 32 bits that wrap. */
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
