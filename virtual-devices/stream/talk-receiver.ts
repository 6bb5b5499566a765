// Receives back channel audio of a virtual camera and measures counts, loss, timing and level for tests.
import { decodeG711, type G711Law } from '@vedette/protocols/g711/g711.ts';
import { createRtpHeader, readRtpHeader } from '@vedette/protocols/rtp/packet.ts';
import type { RtspSender } from '@vedette/protocols/rtsp/server/server-mount.ts';
import { PAYLOAD_TYPES } from './stream-format.ts';

export interface ReceivedAudio {
  /** Somebody holds the line. */
  readonly isOpen: boolean;
  readonly packets: number;
  readonly samples: number;
  /** Packets missing by their sequence numbers. */
  readonly lost: number;
  /** Packets of another payload type or no RTP at all. */
  readonly foreign: number;
  /** Packets that began a talk spurt (marker bit). */
  readonly spurts: number;
  /** Root mean square of the last second, 0 to 1. */
  readonly level: number;
  /** Zero crossings of the last second, halved: the pitch of a pure tone in Hz. */
  readonly pitchHz: number;
  /** The longest time between two packets of a spurt, ms. */
  readonly longestGapMs: number;
  /** From the first packet to the newest, by the clock and by their RTP time: alike when the sound comes at its pace. */
  readonly heardMs: number;
  readonly soundMs: number;
  /** Since the newest packet; null before the first. */
  readonly silentMs: number | null;
}

const RATE = 8000;

export class TalkReceiver {
  readonly law: G711Law;
  private readonly monotonicMs: () => number;
  private readonly header = createRtpHeader();
  /** The last second. */
  private ring: Int16Array = new Int16Array(0);
  private next = -1;
  private firstAt: number | null = null;
  private newestAt = 0;
  private firstTime = 0;
  private newestTime = 0;
  private longestGapMs = 0;
  private speaker: RtspSender | null = null;
  private counters = { packets: 0, samples: 0, lost: 0, foreign: 0, spurts: 0 };

  constructor(law: G711Law, monotonicMs: () => number) {
    this.law = law;
    this.monotonicMs = monotonicMs;
  }

  get payloadType(): number {
    return PAYLOAD_TYPES[this.law];
  }

  /** Null while another speaks. */
  take(speaker: RtspSender): (() => void) | null {
    if (this.speaker !== null && this.speaker !== speaker) return null;
    this.speaker = speaker;
    return () => {
      if (this.speaker === speaker) this.speaker = null;
    };
  }

  receive(packet: Buffer): void {
    const { header } = this;
    const isOurs = readRtpHeader(packet, 0, packet.length, header) && header.payloadType === this.payloadType;
    if (!isOurs) {
      this.counters.foreign++;
      return;
    }
    const now = this.monotonicMs();
    if (this.firstAt === null) {
      this.firstAt = now;
      this.firstTime = header.timestamp;
    } else if (!header.marker) this.longestGapMs = Math.max(this.longestGapMs, now - this.newestAt);
    if (this.next >= 0) this.counters.lost += (header.sequence - this.next) & 0xffff;
    this.next = (header.sequence + 1) & 0xffff;
    this.newestAt = now;
    this.newestTime = header.timestamp;
    if (header.marker) this.counters.spurts++;
    this.counters.packets++;
    this.keep(decodeG711(this.law, packet.subarray(header.payloadStart, header.payloadEnd)));
  }

  received(): ReceivedAudio {
    const samples = [...this.ring];
    const power = samples.reduce((sum, sample) => sum + (sample / 32768) ** 2, 0) / Math.max(1, samples.length);
    const crossings = samples.filter((sample, at) => at > 0 && sample >= 0 !== (samples[at - 1] ?? 0) >= 0).length;
    return {
      isOpen: this.speaker !== null,
      ...this.counters,
      level: Math.sqrt(power),
      pitchHz: samples.length === 0 ? 0 : (crossings / 2) * (RATE / samples.length),
      longestGapMs: this.longestGapMs,
      heardMs: this.firstAt === null ? 0 : this.newestAt - this.firstAt,
      soundMs: (((this.newestTime - this.firstTime) >>> 0) * 1000) / RATE,
      silentMs: this.firstAt === null ? null : this.monotonicMs() - this.newestAt,
    };
  }

  /** Begins to count anew. */
  forget(): void {
    this.ring = new Int16Array(0);
    this.next = -1;
    this.firstAt = null;
    this.longestGapMs = 0;
    this.counters = { packets: 0, samples: 0, lost: 0, foreign: 0, spurts: 0 };
  }

  private keep(samples: Int16Array): void {
    this.counters.samples += samples.length;
    const kept = Math.min(this.ring.length, Math.max(0, RATE - samples.length));
    const ring = new Int16Array(kept + samples.length);
    ring.set(this.ring.subarray(this.ring.length - kept));
    ring.set(samples, kept);
    this.ring = ring;
  }
}
