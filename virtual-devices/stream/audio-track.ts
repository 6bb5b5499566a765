// The sound of one virtual stream: beeps in G.711, or silence in AAC, in packets that every client shares.

import { TrackWriter } from '@vedette/protocols/rtsp/track-writer.ts';
import { packetiseAac, packetiseG711 } from '@vedette/protocols/rtp/packetise-audio.ts';
import { beepSamples, AUDIO_RATE } from './beep.ts';
import { PAYLOAD_TYPES, type AudioCodec } from './stream-format.ts';

/** G.711 goes out in packets of 20 ms, AAC in frames of 1024 samples. */
const STEP = { pcma: 160, pcmu: 160, aac: 1024 } as const;
/** One silent channel (ISO/IEC 14496-3 4.4.2.1): a single element without bands, and the end mark. */
const SILENT_FRAME = Buffer.from('01180007', 'hex');

export class AudioTrack {
  private readonly writer: TrackWriter;
  private rtpTime: number;
  /** Monotonic: a step of the wall clock must not make hours of sound. */
  private untilMs = 0;

  private current: AudioCodec | null;

  /** Null: no sound. */
  constructor(codec: AudioCodec | null, seed: number) {
    this.current = codec;
    this.writer = new TrackWriter({
      track: 1,
      payloadType: PAYLOAD_TYPES[codec ?? 'pcma'],
      ssrc: (seed * 2246822519) >>> 0,
      firstSequence: (seed * 30011) & 0xffff,
    });
    this.rtpTime = (seed * 51_001) >>> 0;
  }

  get start(): { readonly sequence: number; readonly rtpTime: number } {
    return { sequence: this.writer.nextSequence, rtpTime: this.rtpTime };
  }

  get codec(): AudioCodec | null {
    return this.current;
  }

  become(codec: AudioCodec | null, monotonicMs: number): void {
    this.current = codec;
    if (codec) this.writer.usePayloadType(PAYLOAD_TYPES[codec]);
    this.skipTo(monotonicMs);
  }

  /** Nothing is made for the time before. */
  skipTo(monotonicMs: number): void {
    this.untilMs = monotonicMs;
  }

  /** All packets up to a moment, which was `wallMs` on the device's clock; null while it is not worth one. */
  upTo(monotonicMs: number, wallMs: number): Buffer | null {
    const codec = this.current;
    if (codec === null) return null;
    const step = STEP[codec];
    const count = Math.floor(((monotonicMs - this.untilMs) * AUDIO_RATE) / 1000 / step) * step;
    if (count <= 0) return null;
    const packets = payloadsOf(codec, wallMs - (monotonicMs - this.untilMs), count).map((payload) => {
      const packet = this.writer.frames([{ payload, marker: codec === 'aac' }], this.rtpTime);
      this.rtpTime = (this.rtpTime + step) >>> 0;
      return packet;
    });
    this.untilMs += (count * 1000) / AUDIO_RATE;
    return Buffer.concat(packets);
  }

  /** `monotonicMs` was `wallMs` on the device's clock. */
  report(monotonicMs: number, wallMs: number): Buffer {
    return this.writer.senderReport(wallMs - (monotonicMs - this.untilMs), this.rtpTime);
  }
}

function payloadsOf(codec: AudioCodec, fromMs: number, count: number): Buffer[] {
  if (codec !== 'aac') return packetiseG711(beepSamples(codec, fromMs, count));
  return Array.from({ length: count / STEP.aac }).flatMap(() =>
    packetiseAac(SILENT_FRAME).map(({ payload }) => payload),
  );
}
