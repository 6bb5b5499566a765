// Audio of cameras under load: silence in AAC, padded to a real bit rate (ISO/IEC 14496-3 4.4.2.7).

import { packetiseAac } from '@vedette/protocols/rtp/packetise-audio.ts';
import type { PacketCut } from '@vedette/protocols/rtp/packetise-video.ts';
import { TrackWriter } from '@vedette/protocols/rtsp/track-writer.ts';
import { BitWriter } from '../scene/codec/bit-writer.ts';
import { PAYLOAD_TYPES } from '../stream/stream-format.ts';

export const PADDED_AUDIO_RATE = 48_000;
const FRAME_SAMPLES = 1024;
const KBPS = 64;
/** A single channel element without bands, of 29 bits. */
const SILENCE = 0x230000;
const FILL_ELEMENT = 0b110;
const END = 0b111;
/** Fill bytes as the standard has them. */
const FILL = 0xa5;

export class PaddedAudio {
  private readonly writer: TrackWriter;
  private readonly frame = paddedFrame();
  private rtpTime: number;
  private untilMs = 0;

  constructor(seed: number) {
    this.rtpTime = (seed * 51_001) >>> 0;
    this.writer = new TrackWriter({
      track: 1,
      payloadType: PAYLOAD_TYPES.aac,
      ssrc: (seed * 2246822519) >>> 0,
      firstSequence: (seed * 30011) & 0xffff,
    });
  }

  get start(): { readonly sequence: number; readonly rtpTime: number } {
    return { sequence: this.writer.nextSequence, rtpTime: this.rtpTime };
  }

  /** Nothing is made for the time before. */
  skipTo(monotonicMs: number): void {
    this.untilMs = monotonicMs;
  }

  /** All frames that are whole by then; null while there is none. */
  upTo(monotonicMs: number): Buffer | null {
    const frames: Buffer[] = [];
    const frameMs = (FRAME_SAMPLES * 1000) / PADDED_AUDIO_RATE;
    for (; this.untilMs + frameMs <= monotonicMs; this.untilMs += frameMs) {
      frames.push(this.writer.frames(this.frame, this.rtpTime));
      this.rtpTime = (this.rtpTime + FRAME_SAMPLES) >>> 0;
    }
    return frames.length > 0 ? Buffer.concat(frames) : null;
  }

  /** `monotonicMs` was `wallMs` on the camera's clock. */
  report(monotonicMs: number, wallMs: number): Buffer {
    return this.writer.senderReport(wallMs - (monotonicMs - this.untilMs), this.rtpTime);
  }
}

/** The packets of one frame; all frames are alike. */
function paddedFrame(): PacketCut[] {
  const bytes = Math.round((KBPS * 1000 * FRAME_SAMPLES) / PADDED_AUDIO_RATE / 8);
  const writer = new BitWriter(bytes);
  writer.bits(0, 5);
  writer.bits(SILENCE, 24);
  // What silence, the fill's own head and the end mark leave; a count above 14 is told in two parts.
  const count = bytes - 6;
  writer.bits(FILL_ELEMENT, 3);
  writer.bits(15, 4);
  writer.bits(count - 14, 8);
  writer.bits(0, 4);
  for (let left = count - 1; left > 0; left--) writer.bits(FILL, 8);
  writer.bits(FILL >> 4, 4);
  writer.bits(END, 3);
  return packetiseAac(Buffer.from(writer.aligned()));
}
