// Numbers the RTP packets of one track and lays them out as interleaved frames, ready to be written to any client (RFC 3550 5.1).
import { msToNtp, ONVIF_REPLAY_PROFILE, RTP_HEADER_BYTES, writeRtpHeader } from '../rtp/packet.ts';
import type { PacketCut } from '../rtp/packetise-video.ts';
import { writeSenderReport } from '../rtp/rtcp.ts';
import { writeInterleavedHeader } from './message.ts';

const INTERLEAVED_BYTES = 4;
/** Extension header, NTP time, flags and CSeq (ONVIF Streaming 6.3). */
const REPLAY_BYTES = 16;

export interface ReplayMark {
  readonly wallMs: number;
  readonly isKey: boolean;
  /** A gap follows, or nothing. */
  readonly isEnd: boolean;
  readonly isDiscontinuity: boolean;
  /** Nothing follows at all. */
  readonly isTerminal: boolean;
}

export interface TrackWriterOptions {
  readonly track: number;
  readonly payloadType: number;
  readonly ssrc: number;
  readonly firstSequence: number;
}

export class TrackWriter {
  readonly options: TrackWriterOptions;
  #payloadType: number;
  #sequence: number;
  #packets = 0;
  #bytes = 0;

  constructor(options: TrackWriterOptions) {
    this.options = options;
    this.#payloadType = options.payloadType;
    this.#sequence = options.firstSequence;
  }

  /** From the next packet on; the count goes on (RFC 3550 5.1). */
  usePayloadType(payloadType: number): void {
    this.#payloadType = payloadType;
  }

  get nextSequence(): number {
    return this.#sequence & 0xffff;
  }

  /** All packets of one access unit in one buffer. */
  frames(cuts: readonly PacketCut[], timestamp: number, replay?: ReplayMark): Buffer {
    const extension = replay === undefined ? 0 : REPLAY_BYTES;
    const overhead = INTERLEAVED_BYTES + RTP_HEADER_BYTES + extension;
    const out = Buffer.allocUnsafe(cuts.reduce((sum, cut) => sum + overhead + cut.payload.length, 0));
    const { track, ssrc } = this.options;
    let at = 0;
    for (const cut of cuts) {
      writeInterleavedHeader(out, at, track * 2, overhead - INTERLEAVED_BYTES + cut.payload.length);
      at += INTERLEAVED_BYTES;
      writeRtpHeader(out, at, {
        payloadType: this.#payloadType,
        marker: cut.marker,
        sequence: this.#sequence++ & 0xffff,
        timestamp,
        ssrc,
      });
      if (replay !== undefined) {
        out[at] = (out[at] as number) | 0x10;
        writeReplayExtension(out, at + RTP_HEADER_BYTES, replay, cut.marker);
      }
      at += RTP_HEADER_BYTES + extension;
      cut.payload.copy(out, at);
      at += cut.payload.length;
      this.#bytes += cut.payload.length;
    }
    this.#packets += cuts.length;
    return out;
  }

  /** Tells that nothing follows (RFC 3550 6.6). */
  bye(): Buffer {
    const out = Buffer.alloc(INTERLEAVED_BYTES + 8);
    writeInterleavedHeader(out, 0, this.options.track * 2 + 1, 8);
    out.writeUInt32BE(0x81cb0001, INTERLEAVED_BYTES);
    out.writeUInt32BE(this.options.ssrc, INTERLEAVED_BYTES + 4);
    return out;
  }

  senderReport(wallMs: number, rtpTime: number): Buffer {
    const { ssrc, track } = this.options;
    const report = writeSenderReport({ ssrc, wallMs, rtpTime, packets: this.#packets, bytes: this.#bytes });
    const out = Buffer.allocUnsafe(INTERLEAVED_BYTES + report.length);
    writeInterleavedHeader(out, 0, track * 2 + 1, report.length);
    report.copy(out, INTERLEAVED_BYTES);
    return out;
  }
}

function writeReplayExtension(out: Buffer, at: number, mark: ReplayMark, isLast: boolean): void {
  out.writeUInt16BE(ONVIF_REPLAY_PROFILE, at);
  out.writeUInt16BE(3, at + 2);
  const ntp = msToNtp(mark.wallMs);
  out.writeUInt32BE(ntp.seconds, at + 4);
  out.writeUInt32BE(ntp.fraction, at + 8);
  const flags =
    (mark.isKey ? 0x80 : 0) |
    (mark.isEnd && isLast ? 0x40 : 0) |
    (mark.isDiscontinuity ? 0x20 : 0) |
    (mark.isTerminal && isLast ? 0x10 : 0);
  out.writeUInt32BE((flags << 24) >>> 0, at + 12);
}
