// What a receiver reports about a track: highest sequence number, loss and jitter (RFC 3550 6.4.1, A.3, A.8).
import { type SenderReport, writePictureLoss, writeReceiverReport } from './rtcp.ts';

export class Reception {
  readonly #clockRate: number;
  #ssrc = -1;
  #first = 0;
  #highest = -1;
  #cycles = 0;
  #received = 0;
  #lastTransit: number | null = null;
  #lastTimestamp = -1;
  /** In RTP ticks. */
  #jitter = 0;
  #expectedBefore = 0;
  #receivedBefore = 0;
  #report: { readonly ntpMiddle: number; readonly atMs: number } | null = null;

  constructor(clockRate: number) {
    this.#clockRate = clockRate;
  }

  /** Every packet that was taken, in any order. `now`: asked once for each picture, whose packets leave together and say nothing of each other. */
  packet(ssrc: number, sequence: number, timestamp: number, now: () => number): void {
    if (ssrc !== this.#ssrc) this.#begin(ssrc, sequence);
    this.#received += 1;
    const ahead = (sequence - this.#highest) & 0xffff;
    if (ahead < 0x8000) {
      if (sequence < this.#highest) this.#cycles += 0x10000;
      this.#highest = sequence;
    }
    if (timestamp === this.#lastTimestamp) return;
    this.#lastTimestamp = timestamp;
    const transit = (Math.round((now() * this.#clockRate) / 1000) - timestamp) | 0;
    if (this.#lastTransit !== null) {
      const difference = Math.abs((transit - this.#lastTransit) | 0);
      this.#jitter += (difference - this.#jitter) / 16;
    }
    this.#lastTransit = transit;
  }

  senderReport(report: SenderReport, nowMs: number): void {
    this.#report = { ntpMiddle: report.ntpMiddle, atMs: nowMs };
  }

  /** Null before the first packet. Each report's fraction covers what came since the one before. */
  receiverReport(nowMs: number): Buffer | null {
    if (this.#ssrc < 0) return null;
    const highestSequence = this.#cycles + this.#highest;
    const expected = highestSequence - this.#first + 1;
    const expectedNow = expected - this.#expectedBefore;
    const lostNow = expectedNow - (this.#received - this.#receivedBefore);
    this.#expectedBefore = expected;
    this.#receivedBefore = this.#received;
    return writeReceiverReport({
      ssrc: this.#ownSsrc,
      about: this.#ssrc,
      highestSequence,
      lost: Math.max(0, expected - this.#received),
      fractionLost: expectedNow <= 0 || lostNow <= 0 ? 0 : Math.min(255, Math.floor((lostNow * 256) / expectedNow)),
      jitter: Math.min(0xffffffff, Math.round(this.#jitter)),
      ntpMiddle: this.#report?.ntpMiddle ?? 0,
      sinceSenderReportMs: this.#report ? nowMs - this.#report.atMs : 0,
    });
  }

  /** Asks the sender for a keyframe; null before the first packet. */
  pictureLoss(): Buffer | null {
    return this.#ssrc < 0 ? null : writePictureLoss(this.#ownSsrc, this.#ssrc);
  }

  get #ownSsrc(): number {
    return (this.#ssrc ^ 0x5eed) >>> 0;
  }

  #begin(ssrc: number, sequence: number): void {
    this.#ssrc = ssrc;
    this.#first = sequence;
    this.#highest = sequence;
    this.#cycles = 0;
    this.#received = 0;
    this.#lastTransit = null;
    this.#lastTimestamp = -1;
    this.#jitter = 0;
    this.#expectedBefore = 0;
    this.#receivedBefore = 0;
  }
}
