// Finds pictures without IDR slices at which decoding can begin all the same: a recovery point ahead of an I slice (H.264 D.1.8).
import { BitReader, BitstreamError } from '../bits/bit-reader.ts';
import { H264_NAL, h264NalType, isH264Picture } from './nal.ts';

const RECOVERY_POINT = 6;

/** `unit`: NAL units, each behind its length in four bytes. */
export function startsAtRecoveryPoint(unit: Uint8Array): boolean {
  let at = 0;
  let isMarked = false;
  while (at + 6 <= unit.length) {
    const length = new DataView(unit.buffer, unit.byteOffset + at, 4).getUint32(0);
    const type = h264NalType(unit[at + 4] as number);
    if (type === H264_NAL.sei) isMarked ||= marksRecovery(unit.subarray(at + 5, at + 4 + length));
    else if (isH264Picture(type)) return isMarked && isIntraSlice(unit.subarray(at + 5, at + 15));
    at += 4 + length;
  }
  return false;
}

/** One NAL unit carries as many messages as the encoder likes (7.3.2.3): buffering period and timing often come first. */
function marksRecovery(messages: Uint8Array): boolean {
  let at = 0;
  const number = (): number => {
    let value = 0;
    while (messages[at] === 0xff) {
      value += 255;
      at += 1;
    }
    value += messages[at] ?? 0;
    at += 1;
    return value;
  };
  // Trailing bits take the last byte.
  while (at + 2 < messages.length) {
    if (number() === RECOVERY_POINT) return true;
    const size = number();
    at = skipped(messages, at, size);
  }
  return false;
}

/** Sizes count bytes before a 3 was put behind every two zeros that three would have followed (7.4.1). */
function skipped(bytes: Uint8Array, from: number, size: number): number {
  let at = from;
  for (let left = size; left > 0 && at < bytes.length; at += 1) {
    const isStuffing = at >= from + 2 && bytes[at] === 3 && bytes[at - 1] === 0 && bytes[at - 2] === 0;
    if (!isStuffing) left -= 1;
  }
  return at;
}

function isIntraSlice(header: Uint8Array): boolean {
  try {
    const reader = new BitReader(header);
    reader.unsignedGolomb();
    return reader.unsignedGolomb() % 5 === 2;
  } catch (error) {
    if (error instanceof BitstreamError) return false;
    throw error;
  }
}
