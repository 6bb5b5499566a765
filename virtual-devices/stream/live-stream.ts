// One live stream of a virtual camera: makes each picture once, at its instant, and hands the same packets to every client.

import type { G711Law } from '@vedette/protocols/g711/g711.ts';
import { packetiseH264, packetiseH265 } from '@vedette/protocols/rtp/packetise-video.ts';
import {
  type RtspBackChannel,
  type RtspMount,
  type RtspPlayback,
  type RtspPlayRequest,
  RtspRefusal,
  type RtspSender,
} from '@vedette/protocols/rtsp/server/server-mount.ts';
import type { CameraVideo } from '../scene/camera-video.ts';
import { H265Coder } from '../scene/codec/h265-coder.ts';
import { pictureParameterSet, sequenceParameterSet, type VideoShape } from '../scene/codec/h264-headers.ts';
import type { Planes } from '../scene/codec/planes.ts';
import type { TalkReceiver } from './talk-receiver.ts';
import { damagedFrames, StreamFaults } from './stream-faults.ts';
import { BACK_CONTROL, CONTROLS, type DescribedVideo, describeSession } from './session-description.ts';
import { AudioTrack } from './audio-track.ts';
import {
  PAYLOAD_TYPES,
  type AudioCodec,
  audioCodecs,
  type StreamFormat,
  type VideoCodec,
  videoCodecs,
} from './stream-format.ts';
import { TrackWriter } from '@vedette/protocols/rtsp/track-writer.ts';
import { joinNals } from './join-nals.ts';

export interface StreamClock {
  /** The device's own wall clock, milliseconds since 1970 UTC. */
  wallMs(): number;
  monotonicMs(): number;
}

export interface LiveStreamOptions {
  readonly name: string;
  readonly createVideo: (shape: VideoShape) => CameraVideo;
  readonly shape: VideoShape;
  readonly gopSeconds: number;
  /** What an encoder would be told to keep to. */
  readonly kbps?: number;
  readonly hasAudio: boolean;
  readonly clock: StreamClock;
  /** The loudspeaker of the channel, shared by its streams. */
  readonly talkReceiver: TalkReceiver | null;
  /** Differs per stream: start of sequence numbers and RTP time, and the SSRC. */
  readonly seed: number;
}

interface Client {
  readonly sender: RtspSender;
  /** Nothing is sent until the next keyframe. */
  waitsForKeyframe: boolean;
}

export interface LiveStreamState {
  readonly clients: number;
  /** Pictures made, the counter in the next picture's strip. */
  readonly pictures: number;
  readonly keyPictures: number;
  readonly packets: number;
  readonly bytes: number;
  /** Pictures that a slow client did not get. */
  readonly skipped: number;
}

/** A client that is this far behind gets nothing until the next keyframe, as real cameras do it. */
const QUEUE_LIMIT = 2 * 1024 * 1024;
const REPORT_MS = 5000;
/** What devices answer whose loudspeaker is in use. */
const NOT_ENOUGH_BANDWIDTH = 453;
/** A process that was held up longer does not make up for it. */
const CATCH_UP_MS = 1000;

export class LiveStream implements RtspMount {
  private readonly options: LiveStreamOptions;
  private readonly clients = new Set<Client>();
  private readonly video: TrackWriter;
  private readonly audio: AudioTrack;
  private codec: VideoCodec = 'h264';
  private h265: H265Coder | null = null;
  private shape: VideoShape;
  private cameraVideo: CameraVideo | null = null;
  private timer: NodeJS.Timeout | null = null;
  private keyframeWanted = true;
  private pace: { readonly kbps: number; readonly gopPictures: number | null };
  private sinceKeyframe = 0;
  private nextAt = 0;
  private lastReportAt = 0;
  private joinedAt = 0;
  private rtpTime: number;
  readonly faults = new StreamFaults();
  /** Shown again and again while the fault lasts. */
  private frozenNals: readonly Uint8Array[] | null = null;
  private counters = { pictures: 0, keyPictures: 0, packets: 0, bytes: 0, skipped: 0 };

  constructor(options: LiveStreamOptions) {
    this.options = options;
    this.shape = options.shape;
    this.pace = { kbps: options.kbps ?? 0, gopPictures: null };
    const { seed } = options;
    this.video = new TrackWriter({
      track: 0,
      payloadType: PAYLOAD_TYPES.h264,
      ssrc: (seed * 2654435761) >>> 0,
      firstSequence: (seed * 40503) & 0xffff,
    });
    this.audio = new AudioTrack(options.hasAudio ? 'pcma' : null, seed);
    this.rtpTime = (seed * 97_001) >>> 0;
  }

  get controls(): readonly string[] {
    return this.sounds.length > 0 ? CONTROLS : CONTROLS.slice(0, 1);
  }

  get currentShape(): VideoShape {
    return this.shape;
  }

  get kbps(): number {
    return this.pace.kbps;
  }

  /** Pictures from one keyframe to the next. */
  get gopFrames(): number {
    return this.pace.gopPictures ?? this.options.gopSeconds * this.shape.rate;
  }

  setPace(kbps: number, gopPictures: number): void {
    this.pace = { kbps, gopPictures };
  }

  get state(): LiveStreamState {
    return { clients: this.clients.size, ...this.counters };
  }

  sdp(): string {
    return this.describe({});
  }

  get backChannel(): RtspBackChannel | null {
    const { talkReceiver } = this.options;
    if (talkReceiver === null) return null;
    return {
      control: BACK_CONTROL,
      sdp: () => this.describe({ talk: talkReceiver.law }),
      hear: (packet) => talkReceiver.receive(packet),
    };
  }

  get format(): StreamFormat {
    return { video: this.codec, sound: this.audio.codec };
  }

  private get sounds(): readonly AudioCodec[] {
    const { codec } = this.audio;
    return this.faults.describesAll ? audioCodecs : codec === null ? [] : [codec];
  }

  private describe(extra: { readonly talk?: G711Law }): string {
    const described = videoCodecs.filter((codec) => this.faults.describesAll || codec === this.codec);
    return describeSession({
      ...extra,
      name: this.options.name,
      videos: described.map((codec) => this.describeVideo(codec)),
      rate: this.shape.rate,
      audio: this.sounds,
      range: 'npt=now-',
    });
  }

  private describeVideo(codec: VideoCodec): DescribedVideo {
    if (codec === 'h264') return { codec, sps: sequenceParameterSet(this.shape), pps: pictureParameterSet(this.shape) };
    const { vps, sps, pps } = this.currentH265();
    return { codec, vps, sps, pps };
  }

  play(sender: RtspSender, request: RtspPlayRequest): RtspPlayback {
    if (request.tracks.has(this.controls.length)) return this.listen(sender);
    const client: Client = { sender, waitsForKeyframe: !this.faults.ignoresKeyframeRequests };
    this.clients.add(client);
    this.requestKeyframe();
    this.lastReportAt = 0;
    this.joinedAt = this.options.clock.monotonicMs();
    if (this.timer === null) this.start();
    return {
      range: 'npt=now-',
      starts: [{ sequence: this.video.nextSequence, rtpTime: this.rtpTime }, this.audio.start],
      stop: () => {
        this.clients.delete(client);
        if (this.clients.size === 0) this.stop();
      },
    };
  }

  /** One speaks at a time; a client that set up the way back gets no media. */
  private listen(sender: RtspSender): RtspPlayback {
    const leave = this.options.talkReceiver?.take(sender) ?? null;
    if (leave === null) throw new RtspRefusal(NOT_ENOUGH_BANDWIDTH);
    return { range: undefined, starts: [], stop: leave };
  }

  /** The next picture is a keyframe (SetSynchronizationPoint, picture loss indication). */
  requestKeyframe(): void {
    if (!this.faults.ignoresKeyframeRequests) this.keyframeWanted = true;
  }

  /** Fault: the RTP time goes on from there. */
  setTime(rtpTime: number): void {
    this.rtpTime = rtpTime >>> 0;
  }

  /** Another resolution from the next picture on, with its new parameter sets, while clients watch. */
  reshape(shape: VideoShape): void {
    this.shape = shape;
    this.cameraVideo = null;
    this.h265 = null;
    this.keyframeWanted = true;
  }

  /**
   * Other codecs from the next picture on. A device that `hangsUp` says goodbye and ends all lines, as most do, so that clients ask
   * anew; others go on in the same session with another payload type.
   */
  reformat(format: StreamFormat, hangsUp: boolean): void {
    this.codec = format.video;
    this.video.usePayloadType(PAYLOAD_TYPES[format.video]);
    this.audio.become(format.sound, this.nextAt);
    this.keyframeWanted = true;
    if (!hangsUp) return;
    const left = [...this.clients];
    this.clients.clear();
    this.stop();
    for (const { sender } of left) {
      sender.send(this.video.bye());
      sender.end();
    }
  }

  /** The picture of now, for snapshots; without clients one is painted that counts for nothing. */
  still(): Planes {
    const picture = this.currentCameraVideo();
    if (this.clients.size === 0) picture.picture(this.options.clock.wallMs(), this.counters.pictures, true);
    return picture.composed;
  }

  private currentCameraVideo(): CameraVideo {
    this.cameraVideo ??= this.options.createVideo(this.shape);
    return this.cameraVideo;
  }

  private currentH265(): H265Coder {
    this.h265 ??= new H265Coder(this.shape);
    return this.h265;
  }

  private start(): void {
    this.nextAt = this.options.clock.monotonicMs();
    this.audio.skipTo(this.nextAt);
    // The first picture waits until the answer to PLAY is on its way.
    this.timer = setTimeout(() => this.tick(), 0);
  }

  private stop(): void {
    if (this.timer !== null) clearTimeout(this.timer);
    this.timer = null;
  }

  private tick(): void {
    const { clock } = this.options;
    const step = 1000 / this.shape.rate;
    const now = clock.monotonicMs();
    if (now - this.nextAt > CATCH_UP_MS) {
      const missed = Math.floor((now - this.nextAt) / step);
      this.nextAt += missed * step;
      this.advance(missed);
    }
    const wallAtZero = clock.wallMs() - now;
    while (this.nextAt <= now && this.clients.size > 0) {
      this.emit(Math.round(wallAtZero + this.nextAt));
      this.nextAt += step;
    }
    if (this.clients.size > 0)
      this.timer = setTimeout(() => this.tick(), Math.max(1, this.nextAt - clock.monotonicMs()));
  }

  private advance(pictures: number): void {
    this.rtpTime = (this.rtpTime + (pictures * 90_000 * this.faults.timeRate) / this.shape.rate) >>> 0;
  }

  private emit(wallMs: number): void {
    if (this.faults.isStalled) {
      this.advance(1);
      this.audio.skipTo(this.nextAt);
      return;
    }
    const { faults } = this;
    const isKey = this.isKeyDue();
    const nals = this.nextNals(wallMs, isKey);
    this.sinceKeyframe = isKey ? 1 : this.sinceKeyframe + 1;
    if (isKey) this.keyframeWanted = false;
    const cuts = (this.codec === 'h264' ? packetiseH264 : packetiseH265)(joinNals(nals));
    const frames = this.video.frames(cuts, (this.rtpTime + faults.oneOffTicks) >>> 0);
    faults.oneOffTicks = 0;
    this.counters.pictures++;
    if (isKey) this.counters.keyPictures++;
    const report = this.reportDue(wallMs);
    this.deliver(damagedFrames(frames, faults, this.counters.pictures), isKey, report);
    this.advance(1);
    const sound = this.audio.upTo(this.nextAt, wallMs);
    if (sound) for (const client of this.clients) if (!client.waitsForKeyframe) client.sender.send(sound);
  }

  private isKeyDue(): boolean {
    const { gopSeconds, isFrozen } = this.faults;
    const gop = gopSeconds === null ? this.gopFrames : gopSeconds * this.shape.rate;
    // Only a keyframe is the same picture however often it comes.
    const isFreezing = isFrozen && this.frozenNals === null;
    return isFreezing || this.keyframeWanted || this.sinceKeyframe >= gop;
  }

  private nextNals(wallMs: number, isKey: boolean): readonly Uint8Array[] {
    const { isFrozen } = this.faults;
    const nals = (isFrozen ? this.frozenNals : null) ?? this.code(wallMs, isKey);
    this.frozenNals = isFrozen ? nals : null;
    return nals;
  }

  private code(wallMs: number, isKey: boolean): Uint8Array[] {
    const picture = this.currentCameraVideo();
    const nals = picture.picture(wallMs, this.counters.pictures, isKey);
    return this.codec === 'h264' ? nals : this.currentH265().picture(picture.composed, isKey);
  }

  private reportDue(wallMs: number): Buffer | null {
    const now = this.options.clock.monotonicMs();
    if (now - this.joinedAt < this.faults.reportsAfterMs) return null;
    if (this.lastReportAt !== 0 && now - this.lastReportAt < REPORT_MS) return null;
    this.lastReportAt = now;
    const reports = [this.video.senderReport(wallMs, this.rtpTime)];
    if (this.audio.codec !== null) reports.push(this.audio.report(this.nextAt, wallMs));
    return Buffer.concat(reports);
  }

  private deliver(frames: Buffer, isKey: boolean, report: Buffer | null): void {
    for (const client of this.clients) {
      if (report !== null) client.sender.send(report);
      if (client.sender.queuedBytes > QUEUE_LIMIT) client.waitsForKeyframe = true;
      else if (isKey) client.waitsForKeyframe = false;
      if (client.waitsForKeyframe) {
        this.counters.skipped++;
        continue;
      }
      client.sender.send(frames);
      this.counters.bytes += frames.length;
    }
    this.counters.packets++;
  }
}
