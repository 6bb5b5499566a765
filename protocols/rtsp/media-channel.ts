// What arrives on one track of an RTSP session: RTP in order with gaps counted, sender reports, receiver reports back.
import type { SdpMedia } from '../sdp/sdp.ts';
import { createRtpHeader, type RtpHeader, readRtpHeader } from '../rtp/packet.ts';
import { Reception } from '../rtp/reception.ts';
import { hasBye, readSenderReport, type SenderReport } from '../rtp/rtcp.ts';

export interface TrackCounters {
  packets: number;
  bytes: number;
  /** Packets the sequence numbers say are missing. */
  lost: number;
  /** Packets that came twice or too late. */
  late: number;
  /** Frames or datagrams that are no RTP, or not of the device. */
  invalid: number;
}

/** Receives the packets of all tracks; header and buffer are valid only during the call. */
export interface RtspMediaSink {
  /** `lostBefore` packets are missing ahead of this one; -1 after the device began a new count. */
  packet(track: number, header: RtpHeader, buffer: Buffer, lostBefore: number): void;
  senderReport(track: number, report: SenderReport): void;
  /** The device says that this track ends. */
  bye(track: number): void;
  /** Nothing comes any more but a payload type that the description does not know: it is out of date. */
  undescribed?(track: number): void;
}

/** So many packets out of order in a row are a new count, not late packets. */
const RESTART_AFTER = 32;
/** So many packets in a row of a type that was never described: the device has begun something else. */
const UNDESCRIBED_AFTER = 16;
/** Comfort noise comes in silences beside whatever was described (RFC 3389). */
const COMFORT_NOISE = 13;
/** One header for all channels of the process: packets are handled one at a time. */
const HEADER = createRtpHeader();

export class MediaChannel {
  readonly counters: TrackCounters = { packets: 0, bytes: 0, lost: 0, late: 0, invalid: 0 };
  readonly #track: number;
  readonly #sink: RtspMediaSink;
  readonly #now: () => number;
  readonly #payloadTypes: Set<number>;
  #undescribed = 0;
  #next = -1;
  #ssrc = -1;
  #outOfOrder = 0;
  readonly #reception: Reception;

  constructor(options: {
    readonly track: number;
    readonly media: Pick<SdpMedia, 'payloadType' | 'clockRate'> & Partial<Pick<SdpMedia, 'alternatives'>>;
    readonly sink: RtspMediaSink;
    readonly now: () => number;
  }) {
    this.#track = options.track;
    const { media } = options;
    this.#payloadTypes = new Set([media, ...(media.alternatives ?? [])].map(({ payloadType }) => payloadType));
    this.#sink = options.sink;
    this.#now = options.now;
    this.#reception = new Reception(media.clockRate);
  }

  media(buffer: Buffer, start: number, end: number): void {
    if (!readRtpHeader(buffer, start, end, HEADER)) {
      this.counters.invalid += 1;
      return;
    }
    if (!this.#payloadTypes.has(HEADER.payloadType) && !this.#adoptPayloadType(HEADER.payloadType)) return;
    this.#undescribed = 0;
    this.#reception.packet(HEADER.ssrc, HEADER.sequence, HEADER.timestamp, this.#now);
    const lost = this.#order(HEADER.sequence, HEADER.ssrc);
    if (lost < -1) return;
    this.counters.packets += 1;
    this.counters.bytes += end - start;
    if (lost > 0) this.counters.lost += lost;
    this.#sink.packet(this.#track, HEADER, buffer, lost);
  }

  /** One compound RTCP packet of the device. */
  control(buffer: Buffer, start: number, end: number): void {
    const report = readSenderReport(buffer, start, end);
    if (report) {
      this.#reception.senderReport(report, this.#now());
      this.#sink.senderReport(this.#track, report);
    }
    if (hasBye(buffer, start, end)) this.#sink.bye(this.#track);
  }

  /** What to tell the device now; null before its first packet. */
  receiverReport(): Buffer | null {
    return this.#reception.receiverReport(this.#now());
  }

  /** What asks the device for a keyframe; null before its first packet. */
  pictureLoss(): Buffer | null {
    return this.#reception.pictureLoss();
  }

  /** A device may send another type than it announced; the first one it sends is then meant. */
  #adoptPayloadType(payloadType: number): boolean {
    if (this.counters.packets === 0) {
      this.#payloadTypes.add(payloadType);
      return true;
    }
    this.counters.invalid += 1;
    if (payloadType !== COMFORT_NOISE) this.#undescribed += 1;
    if (this.#undescribed === UNDESCRIBED_AFTER) this.#sink.undescribed?.(this.#track);
    return false;
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
    if (expected < 0) return 0;
    return restarted ? -1 : ahead;
  }
}
