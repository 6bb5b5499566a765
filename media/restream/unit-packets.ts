// Packetizes the access units of one stream into RTP, once for all receivers.
import { packetiseAac, packetiseG711 } from '@vedette/protocols/rtp/packetise-audio.ts';
import { packetiseJpeg } from '@vedette/protocols/rtp/packetise-jpeg.ts';
import {
  type PacketCut,
  packetiseH264,
  packetiseH265,
  RTP_PAYLOAD_LIMIT,
} from '@vedette/protocols/rtp/packetise-video.ts';
import type { RtspTrackStart } from '@vedette/protocols/rtsp/server/server-mount.ts';
import { TrackWriter } from '@vedette/protocols/rtsp/track-writer.ts';
import type { AccessUnit, MediaFormat } from '../stream/stream.ts';
import { parameterSetsOf, type TrackPlan } from './session-description.ts';

interface Piece {
  readonly cuts: readonly PacketCut[];
  /** Ticks after the unit's own time. */
  readonly after: number;
}

export interface TrackPacketsOptions {
  /** Index among the tracks. */
  readonly index: number;
  readonly plan: TrackPlan;
  /** Random initial values (RFC 3550 5.1). */
  readonly random32: () => number;
}

/** The packets of one track. */
export class TrackPackets {
  readonly plan: TrackPlan;
  readonly #writer: TrackWriter;
  readonly #firstTime: number;
  #format: MediaFormat;
  #parameterSets: readonly Uint8Array[];
  #lastTime = 0;

  constructor(options: TrackPacketsOptions, format: MediaFormat) {
    const { index, plan, random32 } = options;
    this.plan = plan;
    this.#firstTime = random32();
    this.#writer = new TrackWriter({
      track: index,
      payloadType: plan.payloadType,
      ssrc: random32(),
      firstSequence: random32() & 0xffff,
    });
    this.#format = format;
    this.#parameterSets = format.video ? parameterSetsOf(format.video) : [];
  }

  /** New parameter sets of the same codec, sent before the next keyframe. */
  setFormat(format: MediaFormat): void {
    this.#format = format;
    this.#parameterSets = format.video ? parameterSetsOf(format.video) : [];
  }

  /** Position of the next packet. */
  get next(): RtspTrackStart {
    return { sequence: this.#writer.nextSequence, rtpTime: this.#lastTime };
  }

  timeOf(unit: AccessUnit): number {
    return (this.#firstTime + unit.dts + unit.ctsOffset) >>> 0;
  }

  /** All packets of a unit as `$` frames; empty for a frame that RTP cannot carry. */
  frames(unit: AccessUnit): Buffer {
    const time = this.timeOf(unit);
    this.#lastTime = time;
    const parts = this.#packetise(unit).map(({ cuts, after }) => this.#writer.frames(cuts, (time + after) >>> 0));
    return parts.length === 1 ? (parts[0] as Buffer) : Buffer.concat(parts);
  }

  /** Maps the RTP time of a unit to its capture time. */
  senderReport(unit: AccessUnit): Buffer {
    return this.#writer.senderReport(unit.wallMs, this.timeOf(unit));
  }

  bye(): Buffer {
    return this.#writer.bye();
  }

  #packetise({ track, data, isKey }: AccessUnit): Piece[] {
    if (track === 'audio') return this.#packetiseAudio(data);
    const sets = isKey ? this.#parameterSets : [];
    switch (this.#format.video?.codec) {
      case 'h264':
        return [{ cuts: packetiseH264(data, sets), after: 0 }];
      case 'h265':
        return [{ cuts: packetiseH265(data, sets), after: 0 }];
      default:
        return [{ cuts: packetiseJpeg(data) ?? [], after: 0 }];
    }
  }

  #packetiseAudio(data: Buffer): Piece[] {
    const { codec = 'opus', channels = 1 } = this.#format.audio ?? {};
    if (codec === 'aac') return [{ cuts: packetiseAac(data), after: 0 }];
    if (codec === 'opus' || data.length <= RTP_PAYLOAD_LIMIT) {
      return [{ cuts: [{ payload: data, marker: false }], after: 0 }];
    }
    let after = 0;
    return packetiseG711(data, 160 * channels).map((payload) => {
      const piece = { cuts: [{ payload, marker: false }], after };
      after += payload.length / channels;
      return piece;
    });
  }
}
