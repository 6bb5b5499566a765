// What arrives on one track of an RTSP session: RTP in order with gaps counted, sender reports, receiver reports back.
import { createRtpHeader, type RtpHeader, readRtpHeader } from '../rtp/packet.ts';
import { hasBye, readSenderReport, type SenderReport, writeReceiverReport } from '../rtp/rtcp.ts';

export interface TrackCounters {
  packets: number;
  bytes: number;
  /** Packets the sequence numbers say are missing. */
  lost: number;
  /** Packets that came twice or too late. */
  late: number;
  /** Frames on the channel that are no RTP. */
  invalid: number;
}

/** Receives the packets of all tracks; header and buffer are valid only during the call. */
export interface RtspMediaSink {
  /** `lostBefore` packets are missing ahead of this one; -1 after the device began a new count. */
  packet(track: number, header: RtpHeader, buffer: Buffer, lostBefore: number): void;
  senderReport(track: number, report: SenderReport): void;
  /** The device says that this track ends. */
  bye(track: number): void;
}

/** So many packets out of order in a row are a new count, not late packets. */
const RESTART_AFTER = 32;
const REPORT_EVERY_MS = 5000;
/** One header for all channels of the process: packets are handled one at a time. */
const HEADER = createRtpHeader();

export class MediaChannel {
  readonly counters: TrackCounters = { packets: 0, bytes: 0, lost: 0, late: 0, invalid: 0 };
  readonly #track: number;
  readonly #sink: RtspMediaSink;
  readonly #now: () => number;
  #payloadType: number;
  #next = -1;
  #ssrc = -1;
  #cycles = 0;
  #outOfOrder = 0;
  #lastReportMs = -REPORT_EVERY_MS;

  constructor(track: number, payloadType: number, sink: RtspMediaSink, now: () => number) {
    this.#track = track;
    this.#payloadType = payloadType;
    this.#sink = sink;
    this.#now = now;
  }

  media(buffer: Buffer, start: number, end: number): void {
    if (!readRtpHeader(buffer, start, end, HEADER)) {
      this.counters.invalid += 1;
      return;
    }
    if (HEADER.payloadType !== this.#payloadType && !this.#adoptPayloadType(HEADER.payloadType)) return;
    const lost = this.#order(HEADER.sequence, HEADER.ssrc);
    if (lost < -1) return;
    this.counters.packets += 1;
    this.counters.bytes += end - start;
    if (lost > 0) this.counters.lost += lost;
    this.#sink.packet(this.#track, HEADER, buffer, lost);
  }

  /** Answers the receiver report to send back, or null. */
  control(buffer: Buffer, start: number, end: number): Buffer | null {
    const report = readSenderReport(buffer, start, end);
    if (report) this.#sink.senderReport(this.#track, report);
    if (hasBye(buffer, start, end)) this.#sink.bye(this.#track);
    const now = this.#now();
    if (!report || this.#next < 0 || now - this.#lastReportMs < REPORT_EVERY_MS) return null;
    this.#lastReportMs = now;
    return writeReceiverReport({
      ssrc: (this.#ssrc ^ 0x5eed) >>> 0,
      about: report.ssrc,
      highestSequence: this.#cycles * 0x10000 + ((this.#next - 1) & 0xffff),
      lost: this.counters.lost,
      ntpMiddle: report.ntpMiddle,
      sinceSenderReportMs: 0,
    });
  }

  /** A device may send another type than it announced; the first one it sends is then meant. */
  #adoptPayloadType(payloadType: number): boolean {
    if (this.counters.packets > 0) {
      this.counters.invalid += 1;
      return false;
    }
    this.#payloadType = payloadType;
    return true;
  }

  /** Packets missing ahead of this one, -1 for a new count, -2 when the packet is to be left out. */
  #order(sequence: number, ssrc: number): number {
    const expected = this.#next;
    const isNewSource = ssrc !== this.#ssrc;
    const ahead = (sequence - expected) & 0xffff;
    if (expected >= 0 && !isNewSource && ahead >= 0x8000 && ++this.#outOfOrder < RESTART_AFTER) {
      this.counters.late += 1;
      return -2;
    }
    const restarted = expected >= 0 && (isNewSource || ahead >= 0x8000);
    this.#outOfOrder = 0;
    this.#ssrc = ssrc;
    this.#next = (sequence + 1) & 0xffff;
    if (this.#next === 0) this.#cycles += 1;
    if (expected < 0) return 0;
    return restarted ? -1 : ahead;
  }
}
