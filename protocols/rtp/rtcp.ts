// Reads and writes the RTCP reports of a stream: sender, receiver, source description (RFC 3550 6.4, 6.5).
import { msToNtp, ntpToMs } from './packet.ts';

export interface SenderReport {
  readonly ssrc: number;
  /** The sender's wall clock, milliseconds since 1970. */
  readonly ntpMs: number;
  /** Middle 32 bits of the NTP time, as a receiver report repeats them. */
  readonly ntpMiddle: number;
  readonly rtpTime: number;
}

const SENDER_REPORT = 200;
const RECEIVER_REPORT = 201;
const SOURCE_DESCRIPTION = 202;
const PICTURE_LOSS = 1;
/** RFC 5104 4.3.1. */
const FULL_INTRA_REQUEST = 4;

interface PacketKind {
  readonly type: number;
  /** Up to the last field that is read. */
  readonly minBytes: number;
}

const senderReport: PacketKind = { type: SENDER_REPORT, minBytes: 28 };
const goodbye: PacketKind = { type: 203, minBytes: 4 };
/** Feedback about pictures (RFC 4585 6.3). */
const payloadFeedback: PacketKind = { type: 206, minBytes: 12 };

/** The first sender report of a compound packet, or null. */
export function readSenderReport(buffer: Buffer, start: number, end: number): SenderReport | null {
  const at = find(buffer, start, end, senderReport);
  if (at < 0) return null;
  const seconds = buffer.readUInt32BE(at + 8);
  const fraction = buffer.readUInt32BE(at + 12);
  return {
    ssrc: buffer.readUInt32BE(at + 4),
    ntpMs: ntpToMs(seconds, fraction),
    ntpMiddle: (((seconds & 0xffff) << 16) | (fraction >>> 16)) >>> 0,
    rtpTime: buffer.readUInt32BE(at + 16),
  };
}

export function hasBye(buffer: Buffer, start: number, end: number): boolean {
  return find(buffer, start, end, goodbye) >= 0;
}

/** Whether the receiver asks for a keyframe, by either of the two ways. */
export function isKeyframeRequest(buffer: Buffer, start: number, end: number): boolean {
  const at = find(buffer, start, end, payloadFeedback);
  const kind = at < 0 ? 0 : (buffer[at] as number) & 31;
  return kind === PICTURE_LOSS || kind === FULL_INTRA_REQUEST;
}

/** Where the first packet of this kind begins, -1 where there is none or it is cut. */
function find(buffer: Buffer, start: number, end: number, kind: PacketKind): number {
  let at = start;
  while (at + 4 <= end) {
    if ((buffer[at] as number) >> 6 !== 2) return -1;
    if (buffer[at + 1] === kind.type) return at + kind.minBytes <= end ? at : -1;
    at += 4 * (buffer.readUInt16BE(at + 2) + 1);
  }
  return -1;
}

export interface SenderReportFields {
  readonly ssrc: number;
  readonly wallMs: number;
  readonly rtpTime: number;
  readonly packets: number;
  readonly bytes: number;
}

/** A sender report with the mandatory CNAME behind it. */
export function writeSenderReport(fields: SenderReportFields): Buffer {
  const report = Buffer.alloc(28);
  report[0] = 0x80;
  report[1] = SENDER_REPORT;
  report.writeUInt16BE(6, 2);
  report.writeUInt32BE(fields.ssrc >>> 0, 4);
  const ntp = msToNtp(fields.wallMs);
  report.writeUInt32BE(ntp.seconds, 8);
  report.writeUInt32BE(ntp.fraction, 12);
  report.writeUInt32BE(fields.rtpTime >>> 0, 16);
  report.writeUInt32BE(fields.packets >>> 0, 20);
  report.writeUInt32BE(fields.bytes >>> 0, 24);
  return Buffer.concat([report, sourceDescription(fields.ssrc)]);
}

export interface ReceiverReportFields {
  readonly ssrc: number;
  readonly about: number;
  readonly highestSequence: number;
  readonly lost: number;
  /** Share lost since the last report, of 256. */
  readonly fractionLost: number;
  /** In RTP ticks. */
  readonly jitter: number;
  /** Of the last sender report; 0 without one. */
  readonly ntpMiddle: number;
  readonly sinceSenderReportMs: number;
}

export function writeReceiverReport(fields: ReceiverReportFields): Buffer {
  const report = Buffer.alloc(32);
  report[0] = 0x81;
  report[1] = RECEIVER_REPORT;
  report.writeUInt16BE(7, 2);
  report.writeUInt32BE(fields.ssrc >>> 0, 4);
  report.writeUInt32BE(fields.about >>> 0, 8);
  report.writeUInt32BE(((fields.fractionLost << 24) | Math.min(fields.lost, 0x7fffff)) >>> 0, 12);
  report.writeUInt32BE(fields.highestSequence >>> 0, 16);
  report.writeUInt32BE(fields.jitter >>> 0, 20);
  report.writeUInt32BE(fields.ntpMiddle >>> 0, 24);
  const delay = fields.ntpMiddle === 0 ? 0 : Math.round(fields.sinceSenderReportMs * 65.536);
  report.writeUInt32BE(Math.min(Math.max(0, delay), 0xffffffff), 28);
  return Buffer.concat([report, sourceDescription(fields.ssrc)]);
}

/** A receiver report about nobody: a sign of life. */
export function writeEmptyReport(ssrc: number): Buffer {
  const report = Buffer.alloc(8);
  report[0] = 0x80;
  report[1] = RECEIVER_REPORT;
  report.writeUInt16BE(1, 2);
  report.writeUInt32BE(ssrc >>> 0, 4);
  return Buffer.concat([report, sourceDescription(ssrc)]);
}

/** A picture loss indication, behind the report that a compound packet must begin with. */
export function writePictureLoss(ssrc: number, about: number): Buffer {
  const feedback = Buffer.alloc(12);
  feedback[0] = 0x80 | PICTURE_LOSS;
  feedback[1] = payloadFeedback.type;
  feedback.writeUInt16BE(2, 2);
  feedback.writeUInt32BE(ssrc >>> 0, 4);
  feedback.writeUInt32BE(about >>> 0, 8);
  return Buffer.concat([writeEmptyReport(ssrc), feedback]);
}

function sourceDescription(ssrc: number): Buffer {
  const name = 'vedette';
  // header 4, source 4, item type and length 2, text, at least one zero, padded to 32 bits
  const bytes = Buffer.alloc(4 * Math.ceil((11 + name.length) / 4));
  bytes[0] = 0x81;
  bytes[1] = SOURCE_DESCRIPTION;
  bytes.writeUInt16BE(bytes.length / 4 - 1, 2);
  bytes.writeUInt32BE(ssrc >>> 0, 4);
  bytes[8] = 1;
  bytes[9] = name.length;
  bytes.write(name, 10, 'latin1');
  return bytes;
}
