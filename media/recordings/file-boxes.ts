// Boxes of a recorded file beside moof and mdat: the clock of each fragment (prft, ISO/IEC 14496-12 8.16.5) and a copy of the index header (uuid).
import { entryBytes, type IndexHeader, readIndexHeader, writeIndexHeader } from './index-record.ts';

export const CLOCK_BOX_BYTES = 32;
/** Identifies our box, from which an index can be rebuilt. */
const HEADER_UUID = Buffer.from('f3a16c4e5d0b4a7c9f2e766564657474', 'hex');
/** Length, type and identifier, before the header. */
const HEADER_AT = 8 + 16;

/** Seconds from 1900 to 1970: NTP counts from 1900. */
const NTP_TO_UNIX_S = 2_208_988_800;

/** Wall clock at which the frame with `mediaTicks` (video track 1, ticks of this file) was captured. */
export function writeClockBox(wallMs: number, mediaTicks: number): Buffer {
  const bytes = Buffer.alloc(CLOCK_BOX_BYTES);
  bytes.writeUInt32BE(CLOCK_BOX_BYTES, 0);
  bytes.write('prft', 4, 'latin1');
  bytes.writeUInt8(1, 8);
  bytes.writeUInt32BE(1, 12);
  const seconds = Math.floor(wallMs / 1000);
  bytes.writeUInt32BE((seconds + NTP_TO_UNIX_S) >>> 0, 16);
  bytes.writeUInt32BE(Math.floor(((wallMs - seconds * 1000) / 1000) * 0x100000000) >>> 0, 20);
  const ticks = Math.max(0, Math.round(mediaTicks));
  bytes.writeUInt32BE(Math.floor(ticks / 0x100000000), 24);
  bytes.writeUInt32BE(ticks >>> 0, 28);
  return bytes;
}

/** Wall clock in ms of the clock box at `at`. */
export function readClockBox(bytes: Buffer, at: number): number {
  const seconds = bytes.readUInt32BE(at + 16) - NTP_TO_UNIX_S;
  // The fraction was truncated: adding a microsecond gives the original millisecond.
  return Math.floor(seconds * 1000 + (bytes.readUInt32BE(at + 20) / 0x100000000) * 1000 + 0.001);
}

export function writeHeaderBox(header: IndexHeader): Buffer {
  const bytes = Buffer.alloc(HEADER_AT + entryBytes(header));
  bytes.writeUInt32BE(bytes.length, 0);
  bytes.write('uuid', 4, 'latin1');
  HEADER_UUID.copy(bytes, 8);
  writeIndexHeader(header).copy(bytes, HEADER_AT);
  return bytes;
}

/** Null when the box from `at` to `end` is not ours, or damaged. */
export function readHeaderBox(bytes: Buffer, at: number, end: number): IndexHeader | null {
  if (end > bytes.length || !bytes.subarray(at + 8, at + HEADER_AT).equals(HEADER_UUID)) return null;
  const header = readIndexHeader(bytes.subarray(at + HEADER_AT, end));
  return header && end - at === HEADER_AT + entryBytes(header) ? header : null;
}
