// Paces outgoing audio: frames of a burst are sent every 20 ms with their RTP time; late ones are dropped.
import { RTP_HEADER_BYTES, writeRtpHeader } from '@vedette/protocols/rtp/packet.ts';
import { TALK_FRAME_BYTES, TALK_RATE } from '@vedette/contract/talk-wire.ts';
import type { Clock } from '@vedette/foundation/time/clock.ts';

export interface TalkPacerOptions {
  readonly clock: Pick<Clock, 'monotonicMs' | 'after'>;
  readonly payloadType: number;
  /** Random initial sequence number, RTP time and SSRC (RFC 3550 5.1). */
  readonly seed: number;
  readonly send: (packet: Buffer) => void;
}

export interface TalkCounters {
  readonly packets: number;
  /** Frames dropped because too many were queued. */
  readonly dropped: number;
  /** How often the page's audio ran out. */
  readonly pauses: number;
}

const FRAME_MS = (TALK_FRAME_BYTES * 1000) / TALK_RATE;
/** Two frames are buffered at the start, against network jitter. */
const LEAD_FRAMES = 2;
/** 300 ms: a longer delay in a conversation is worse than a gap. */
const WAITING_MAX = 15;

export class TalkPacer {
  readonly #options: TalkPacerOptions;
  readonly #waiting: Buffer[] = [];
  #rest: Buffer = Buffer.alloc(0);
  #sequence: number;
  #time: number;
  readonly #ssrc: number;
  /** When the next frame is due; null while silent. */
  #dueMs: number | null = null;
  #endedMs = 0;
  #isNewSpurt = true;
  #cancel: () => void = () => undefined;
  #packets = 0;
  #dropped = 0;
  #pauses = 0;

  constructor(options: TalkPacerOptions) {
    this.#options = options;
    this.#sequence = options.seed & 0xffff;
    this.#time = Math.imul(options.seed, 40_503) >>> 0;
    this.#ssrc = Math.imul(options.seed, 2_654_435_761) >>> 0;
  }

  get counters(): TalkCounters {
    return { packets: this.#packets, dropped: this.#dropped, pauses: this.#pauses };
  }

  /** Samples of any length, in order. */
  push(sound: Buffer): void {
    let bytes = this.#rest.length === 0 ? sound : Buffer.concat([this.#rest, sound]);
    for (; bytes.length >= TALK_FRAME_BYTES; bytes = bytes.subarray(TALK_FRAME_BYTES)) {
      this.#waiting.push(Buffer.from(bytes.subarray(0, TALK_FRAME_BYTES)));
    }
    this.#rest = Buffer.from(bytes);
    const excess = this.#waiting.length - WAITING_MAX;
    if (excess > 0) {
      this.#waiting.splice(0, excess);
      this.#dropped += excess;
    }
    if (this.#dueMs === null && this.#waiting.length >= LEAD_FRAMES) this.#begin();
  }

  close(): void {
    this.#cancel();
    this.#waiting.length = 0;
  }

  #begin(): void {
    const now = this.#options.clock.monotonicMs();
    // RTP time continues during silence (RFC 3551 4.1).
    if (this.#packets > 0) this.#time += Math.max(0, Math.round((now - this.#endedMs) * (TALK_RATE / 1000)));
    this.#isNewSpurt = true;
    this.#dueMs = now;
    this.#tick();
  }

  #tick(): void {
    const { clock } = this.#options;
    const now = clock.monotonicMs();
    while (this.#dueMs !== null && this.#dueMs <= now) {
      const frame = this.#waiting.shift();
      if (frame) this.#send(frame);
      this.#dueMs = frame ? this.#dueMs + FRAME_MS : this.#pause(this.#dueMs);
    }
    if (this.#dueMs !== null) this.#cancel = clock.after(this.#dueMs - now, () => this.#tick());
  }

  #pause(atMs: number): null {
    this.#endedMs = atMs;
    this.#pauses += 1;
    return null;
  }

  #send(frame: Buffer): void {
    const packet = Buffer.allocUnsafe(RTP_HEADER_BYTES + frame.length);
    const { payloadType, send } = this.#options;
    writeRtpHeader(packet, 0, {
      payloadType,
      // The first packet after silence (RFC 3551 4.1).
      marker: this.#isNewSpurt,
      sequence: this.#sequence,
      timestamp: this.#time,
      ssrc: this.#ssrc,
    });
    frame.copy(packet, RTP_HEADER_BYTES);
    this.#isNewSpurt = false;
    this.#sequence += 1;
    this.#time += frame.length;
    this.#packets += 1;
    send(packet);
  }
}
