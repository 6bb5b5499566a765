// Reads RTP packets in place and writes RTP headers (RFC 3550 5.1).

/** One packet's header, reused for every packet of a connection; `payloadStart` and `payloadEnd` index the given buffer. */
export interface RtpHeader {
  payloadType: number;
  marker: boolean;
  sequence: number;
  timestamp: number;
  ssrc: number;
  payloadStart: number;
  payloadEnd: number;
  /** Profile number of the header extension, -1 without one. */
  extensionProfile: number;
  extensionStart: number;
  extensionEnd: number;
}

/** What a depacketiser needs of the header: where the payload lies and to which unit it belongs. */
export type RtpPayload = Readonly<Pick<RtpHeader, 'payloadStart' | 'payloadEnd' | 'timestamp' | 'marker'>>;

export function createRtpHeader(): RtpHeader {
  return {
    payloadType: 0,
    marker: false,
    sequence: 0,
    timestamp: 0,
    ssrc: 0,
    payloadStart: 0,
    payloadEnd: 0,
    extensionProfile: -1,
    extensionStart: 0,
    extensionEnd: 0,
  };
}

export const RTP_HEADER_BYTES = 12;

/** Fills `out` from `buffer[start, end)`; false when it is no RTP packet of version 2. */
export function readRtpHeader(buffer: Buffer, start: number, end: number, out: RtpHeader): boolean {
  if (end - start < RTP_HEADER_BYTES) return false;
  const first = buffer[start] as number;
  if (first >> 6 !== 2) return false;
  const second = buffer[start + 1] as number;
  out.marker = second >= 0x80;
  out.payloadType = second & 0x7f;
  out.sequence = ((buffer[start + 2] as number) << 8) | (buffer[start + 3] as number);
  out.timestamp = read32(buffer, start + 4);
  out.ssrc = read32(buffer, start + 8);
  let at = start + RTP_HEADER_BYTES + 4 * (first & 15);
  out.extensionProfile = -1;
  if ((first & 0x10) !== 0) {
    if (at + 4 > end) return false;
    const bytes = 4 * (((buffer[at + 2] as number) << 8) | (buffer[at + 3] as number));
    out.extensionProfile = ((buffer[at] as number) << 8) | (buffer[at + 1] as number);
    out.extensionStart = at + 4;
    at += 4 + bytes;
    out.extensionEnd = at;
  }
  let last = end;
  if ((first & 0x20) !== 0) last -= buffer[end - 1] as number;
  if (at > last) return false;
  out.payloadStart = at;
  out.payloadEnd = last;
  return true;
}

/** Writes a header without extension; answers the number of bytes. */
export function writeRtpHeader(
  target: Buffer,
  at: number,
  fields: { payloadType: number; marker: boolean; sequence: number; timestamp: number; ssrc: number },
): number {
  target[at] = 0x80;
  target[at + 1] = (fields.marker ? 0x80 : 0) | fields.payloadType;
  target.writeUInt16BE(fields.sequence & 0xffff, at + 2);
  target.writeUInt32BE(fields.timestamp >>> 0, at + 4);
  target.writeUInt32BE(fields.ssrc >>> 0, at + 8);
  return RTP_HEADER_BYTES;
}

/** Seconds between 1900 (NTP) and 1970. */
const NTP_OFFSET_SECONDS = 2_208_988_800;

/** Milliseconds since 1970 of a 64-bit NTP time (RFC 3550 4). */
export function ntpToMs(seconds: number, fraction: number): number {
  return (seconds - NTP_OFFSET_SECONDS) * 1000 + (fraction * 1000) / 0x100000000;
}

export function msToNtp(ms: number): { seconds: number; fraction: number } {
  const whole = Math.floor(ms / 1000);
  return {
    seconds: (whole + NTP_OFFSET_SECONDS) >>> 0,
    fraction: Math.floor(((ms - whole * 1000) / 1000) * 0x100000000) >>> 0,
  };
}

/** Profile of the ONVIF replay extension (ONVIF Streaming 6.3). */
export const ONVIF_REPLAY_PROFILE = 0xabac;

export interface ReplayExtension {
  readonly wallMs: number;
  /** Clean point: decoding may start here. */
  readonly isKey: boolean;
  /** Last packet of a section without gaps. */
  readonly isSectionEnd: boolean;
  readonly isDiscontinuity: boolean;
  /** Nothing follows in this replay. */
  readonly isTerminal: boolean;
}

/** The ONVIF replay extension of the packet, or null. */
export function readReplayExtension(buffer: Buffer, header: RtpHeader): ReplayExtension | null {
  const at = header.extensionStart;
  if (header.extensionProfile !== ONVIF_REPLAY_PROFILE || header.extensionEnd - at < 12) return null;
  const flags = buffer[at + 8] as number;
  return {
    wallMs: ntpToMs(read32(buffer, at), read32(buffer, at + 4)),
    isKey: (flags & 0x80) !== 0,
    isSectionEnd: (flags & 0x40) !== 0,
    isDiscontinuity: (flags & 0x20) !== 0,
    isTerminal: (flags & 0x10) !== 0,
  };
}

function read32(buffer: Buffer, at: number): number {
  return (
    (((buffer[at] as number) << 24) |
      ((buffer[at + 1] as number) << 16) |
      ((buffer[at + 2] as number) << 8) |
      (buffer[at + 3] as number)) >>>
    0
  );
}
