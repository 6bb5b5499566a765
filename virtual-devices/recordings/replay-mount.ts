// Replays the recordings of one channel over RTSP: any range, with the time of each frame, paced or as fast as the client reads.

import type {
  RtspMount,
  RtspPlayback,
  RtspPlayRequest,
  RtspSender,
} from '@vedette/protocols/rtsp/server/server-mount.ts';
import { pictureParameterSet, sequenceParameterSet } from '../scene/codec/h264-headers.ts';
import type { SceneName } from '../scene/scene-catalogue.ts';
import { CONTROLS, describeSession } from '../stream/session-description.ts';
import { parseClockRange, writeClockRange } from './clock-range.ts';
import type { RecordingGenerator, ReplaySink } from './recording-generator.ts';
import { FIRST_SEQUENCE, replayShape, rtpTimeOf } from './generator-messages.ts';
import { utcOffsetsWithin } from './utc-offsets.ts';

/** Bytes that may wait in the socket before the maker of pictures waits too. */
const QUEUE_LIMIT = 512 * 1024;

export interface ReplayMountOptions {
  readonly name: string;
  readonly scene: SceneName;
  readonly variant: number;
  readonly label: string;
  /** Local time of the device minus UTC at an instant, in milliseconds. */
  readonly utcOffset: (utcMs: number) => number;
  readonly seed: number;
  /** The present: nothing is recorded beyond it. */
  readonly wallMs: () => number;
  readonly maker: RecordingGenerator;
  readonly report: (error: unknown) => void;
}

export class ReplayMount implements RtspMount {
  readonly controls = CONTROLS.slice(0, 1);
  private readonly options: ReplayMountOptions;
  private sent = 0;

  constructor(options: ReplayMountOptions) {
    this.options = options;
  }

  /** Pictures sent since the start, for tests that count. */
  get pictures(): number {
    return this.sent;
  }

  sdp(): string {
    return describeSession({
      name: this.options.name,
      videos: [{ codec: 'h264', sps: sequenceParameterSet(replayShape), pps: pictureParameterSet(replayShape) }],
      rate: replayShape.rate,
      audio: [],
      range: 'clock=19700101T000000Z-',
    });
  }

  play(sender: RtspSender, request: RtspPlayRequest): RtspPlayback | null {
    const { scene, variant, label, utcOffset, seed, maker, wallMs } = this.options;
    const now = wallMs();
    const asked = parseClockRange(request.range, now);
    if (asked === null) return null;
    const range = { from: asked.from, to: Math.min(asked.to, now) };
    const scale = Number(request.scale ?? '1');
    const stop = maker.play(
      {
        scene,
        variant,
        label,
        utcOffsets: utcOffsetsWithin(range, utcOffset),
        seed,
        range,
        scale: request.isPaced ? (scale > 0 ? scale : 1) : null,
      },
      this.sinkOf(sender),
    );
    return {
      range: writeClockRange(range),
      starts: [{ sequence: FIRST_SEQUENCE, rtpTime: rtpTimeOf(range.from) }],
      stop,
    };
  }

  private sinkOf(sender: RtspSender): ReplaySink {
    return {
      batch: async (frames, pictures) => {
        sender.send(frames);
        this.sent += pictures;
        if (sender.queuedBytes >= QUEUE_LIMIT) await sender.drained();
      },
      failed: (error) => {
        this.options.report(error);
        sender.end();
      },
    };
  }
}
