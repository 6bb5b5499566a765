// Many cameras that show one loop in step: each frame is numbered once and the same buffer goes to every client of the group.

import type {
  RtspMount,
  RtspPlayback,
  RtspPlayRequest,
  RtspSender,
} from '@vedette/protocols/rtsp/server/server-mount.ts';
import type { StreamClock } from '../stream/live-stream.ts';
import { CONTROLS, describeSession } from '../stream/session-description.ts';
import { PAYLOAD_TYPES } from '../stream/stream-format.ts';
import { TrackWriter } from '@vedette/protocols/rtsp/track-writer.ts';
import { PADDED_AUDIO_RATE, PaddedAudio } from './padded-audio.ts';
import type { NoiseLoop } from './noise-loop.ts';

export interface LoopStreamOptions {
  readonly loop: NoiseLoop;
  readonly clock: StreamClock;
  readonly seed: number;
  /** Where in the loop and in time this group stands, 0 to 1: keyframes of all groups do not fall together. */
  readonly phase: number;
  readonly hasAudio: boolean;
}

interface Client {
  readonly sender: RtspSender;
  readonly hears: boolean;
  waitsForKeyframe: boolean;
}

const QUEUE_LIMIT = 4 * 1024 * 1024;
const REPORT_MS = 5000;

export class LoopStream implements RtspMount {
  readonly controls: readonly string[];
  /** Bytes of all frames written to clients, and what slow ones did not get. */
  readonly counters = { pictures: 0, bytes: 0, skipped: 0 };
  private readonly options: LoopStreamOptions;
  private readonly clients = new Set<Client>();
  private readonly writer: TrackWriter;
  private readonly audio: PaddedAudio | null;
  private timer: NodeJS.Timeout | null = null;
  private index: number;
  private nextAt = 0;
  private rtpTime: number;
  private reportedAt = 0;

  constructor(options: LoopStreamOptions) {
    this.options = options;
    const { seed, loop, phase, hasAudio } = options;
    this.controls = CONTROLS.slice(0, hasAudio ? 2 : 1);
    this.audio = hasAudio ? new PaddedAudio(seed) : null;
    this.writer = new TrackWriter({
      track: 0,
      payloadType: PAYLOAD_TYPES.h264,
      ssrc: (seed * 2654435761) >>> 0,
      firstSequence: (seed * 40503) & 0xffff,
    });
    this.index = Math.floor(phase * loop.frames.length);
    this.rtpTime = (seed * 97_001) >>> 0;
  }

  get clientCount(): number {
    return this.clients.size;
  }

  sdp(): string {
    const { sps, pps, shape } = this.options.loop;
    const videos = [{ codec: 'h264', sps, pps }] as const;
    const audio = this.audio ? (['aac'] as const) : [];
    return describeSession({
      name: 'loop',
      videos,
      rate: shape.rate,
      audio,
      range: 'npt=now-',
      audioRate: PADDED_AUDIO_RATE,
    });
  }

  play(sender: RtspSender, { tracks }: RtspPlayRequest): RtspPlayback {
    const client: Client = { sender, hears: tracks.has(1), waitsForKeyframe: true };
    this.clients.add(client);
    this.reportedAt = 0;
    if (this.timer === null) this.start();
    return {
      range: 'npt=now-',
      starts: [{ sequence: this.writer.nextSequence, rtpTime: this.rtpTime }, this.audio?.start],
      stop: () => {
        this.clients.delete(client);
        if (this.clients.size > 0 || this.timer === null) return;
        clearTimeout(this.timer);
        this.timer = null;
      },
    };
  }

  private start(): void {
    this.nextAt = this.options.clock.monotonicMs() + (this.options.phase * 1000) / this.options.loop.shape.rate;
    this.audio?.skipTo(this.options.clock.monotonicMs());
    this.timer = setTimeout(() => this.tick(), 0);
  }

  private tick(): void {
    const { clock, loop } = this.options;
    while (this.nextAt <= clock.monotonicMs() && this.clients.size > 0) {
      this.emit();
      this.nextAt += 1000 / loop.shape.rate;
    }
    if (this.clients.size > 0)
      this.timer = setTimeout(() => this.tick(), Math.max(1, this.nextAt - clock.monotonicMs()));
  }

  private emit(): void {
    const { loop, clock } = this.options;
    const picture = loop.frames[this.index];
    if (picture === undefined) return;
    this.index = (this.index + 1) % loop.frames.length;
    const frames = this.writer.frames(picture.cuts, this.rtpTime);
    const now = clock.monotonicMs();
    const sound = this.audio?.upTo(now) ?? null;
    const isDue = now - this.reportedAt > REPORT_MS;
    const report = isDue ? this.writer.senderReport(clock.wallMs(), this.rtpTime) : null;
    const soundReport = isDue ? (this.audio?.report(now, clock.wallMs()) ?? null) : null;
    if (isDue) this.reportedAt = now;
    this.rtpTime = (this.rtpTime + 90_000 / loop.shape.rate) >>> 0;
    this.counters.pictures++;
    for (const client of this.clients) {
      this.deliver(client, frames, picture.isKey, report);
      if (client.hears) this.deliverAudio(client, sound, soundReport);
    }
  }

  private deliver(client: Client, frames: Buffer, isKey: boolean, report: Buffer | null): void {
    if (report !== null) client.sender.send(report);
    if (client.sender.queuedBytes > QUEUE_LIMIT) client.waitsForKeyframe = true;
    else if (isKey) client.waitsForKeyframe = false;
    if (client.waitsForKeyframe) {
      this.counters.skipped++;
      return;
    }
    client.sender.send(frames);
    this.counters.bytes += frames.length;
  }

  private deliverAudio(client: Client, sound: Buffer | null, report: Buffer | null): void {
    if (report !== null) client.sender.send(report);
    if (sound === null || client.waitsForKeyframe) return;
    client.sender.send(sound);
    this.counters.bytes += sound.length;
  }
}
