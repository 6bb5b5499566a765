// Turns the packets of one RTSP session into access units with decode times and wall clocks, for one consumer.
import { SAMPLE_HEADER_BYTES } from '@vedette/protocols/mp4/fragment.ts';
import { readReplayExtension, type RtpHeader } from '@vedette/protocols/rtp/packet.ts';
import type { Depacketiser, DepacketiserSink } from '@vedette/protocols/rtp/picture-assembler.ts';
import type { SenderReport } from '@vedette/protocols/rtp/rtcp.ts';
import type { RtspMediaSink } from '@vedette/protocols/rtsp/media-channel.ts';
import { spropParameterSets } from '@vedette/protocols/sdp/parameter-sets.ts';
import type { SdpMedia } from '@vedette/protocols/sdp/sdp.ts';
import type { Clock } from '../clock/clock.ts';
import type { DiscontinuityReason, MediaFormat, StreamConsumer } from '../stream/stream.ts';
import type { SourceCounters } from './source-counters.ts';
import { isSameFormat } from '../stream/same-format.ts';
import type { FormatKeeper } from './format-keeper.ts';
import { openAudio, openFormatKeeper, openVideo } from './open-depacketiser.ts';
import { SoundAligner } from './sound-aligner.ts';
import type { TrackTimeline } from './track-timeline.ts';
import { videoCodecOf, type TrackSelection } from './track-selection.ts';
import { WallClock } from './wall-clock.ts';

const VIDEO = 0;
const AUDIO = 1;
/** A report further from the first packet speaks of another time line. */
const EARLY_REPORT_TICKS = 10 * 90_000;

export interface UnitReaderOptions {
  readonly clock: Clock;
  readonly selection: TrackSelection & { readonly video: SdpMedia };
  /** Time lines live longer than a connection, so that decode times only go forward over all of them. */
  readonly videoTimeline: TrackTimeline;
  readonly audioTimeline: TrackTimeline | null;
  readonly consumer: StreamConsumer;
  readonly counters: SourceCounters;
  readonly previousFormat: MediaFormat | null;
  /** ONVIF replay: wall clocks come from the packets, and the pace of arrival says nothing. */
  readonly isReplay: boolean;
  /** Called once, ahead of the first picture. */
  readonly onDelivering: () => void;
  /** Called for every picture that is left out because its key picture is missing. */
  readonly onKeyMissed?: () => void;
}

export class UnitReader implements RtspMediaSink {
  readonly #options: UnitReaderOptions;
  readonly #video: Depacketiser;
  readonly #audio: Depacketiser | null;
  readonly #keeper: FormatKeeper;
  readonly #videoWall = new WallClock();
  readonly #audioWall = new WallClock();
  readonly #aligner: SoundAligner | null;
  #format: MediaFormat | null;
  #announced = false;
  #awaitsKey = true;
  #delivering = false;
  #terminal = false;
  #break: DiscontinuityReason | null = 'connected';
  /** Wall clock of the packet in hand, from the replay extension. */
  #replayWallMs: number | null = null;
  /** By track: what was reported before the track had a time line. */
  readonly #earlyReports: (SenderReport | undefined)[] = [];
  #lastPicture: Buffer | null = null;
  /** Monotonic time of the last whole picture, delivered or not, that was not the same again. */
  lastVideoMs: number;

  constructor(options: UnitReaderOptions) {
    this.#options = options;
    this.#format = options.previousFormat;
    const { video, audio, audioFormat } = options.selection;
    this.#keeper = openFormatKeeper(video);
    for (const set of spropParameterSets(video)) this.#keeper.add(set);
    this.#video = openVideo(video, this.#videoSink());
    this.#audio = audio && audioFormat ? openAudio(audio, audioFormat, this.#audioSink()) : null;
    this.#aligner = options.audioTimeline ? new SoundAligner(options.videoTimeline, options.audioTimeline) : null;
    options.videoTimeline.restart();
    options.audioTimeline?.restart();
    this.lastVideoMs = options.clock.monotonicMs();
  }

  /** Whether the device marked the last packet of a replay, or said goodbye. */
  get isTerminal(): boolean {
    return this.#terminal;
  }

  /** The format last announced, for the reader of the next connection. */
  get format(): MediaFormat | null {
    return this.#format;
  }

  packet(track: number, header: RtpHeader, buffer: Buffer, lostBefore: number): void {
    if (this.#options.isReplay) this.#readReplay(buffer, header, track);
    const reader = track === VIDEO ? this.#video : this.#audio;
    if (lostBefore !== 0) {
      reader?.gap();
      if (track === VIDEO) this.#waitForKey('lost-packets');
    }
    reader?.packet(buffer, header.payloadStart, header.payloadEnd, header.timestamp, header.marker);
  }

  senderReport(track: number, report: SenderReport): void {
    const { clock, videoTimeline, audioTimeline } = this.#options;
    const timeline = track === VIDEO ? videoTimeline : audioTimeline;
    if (!timeline?.isAnchored) {
      // Many devices report ahead of the first packet, and then not for seconds.
      this.#earlyReports[track] = report;
      return;
    }
    const wall = track === VIDEO ? this.#videoWall : this.#audioWall;
    if (timeline.keepsPace(clock.monotonicMs()))
      wall.report(timeline.msAt(report.rtpTime), report.ntpMs, clock.wallMs());
    else wall.forgetReport();
    this.#aligner?.report(track === VIDEO, report);
  }

  /** Live devices say it and go on; in a replay it is the end. */
  bye(): void {
    this.#terminal = true;
  }

  #readReplay(buffer: Buffer, header: RtpHeader, track: number): void {
    const extension = readReplayExtension(buffer, header);
    if (!extension) return;
    this.#replayWallMs = extension.wallMs;
    if (extension.isDiscontinuity && track === VIDEO) this.#waitForKey('timestamp-jump');
    if (extension.isTerminal && track === VIDEO) this.#terminal = true;
  }

  #waitForKey(reason: DiscontinuityReason): void {
    this.#awaitsKey = true;
    this.#break ??= reason;
  }

  #videoSink(): DepacketiserSink {
    return {
      accessUnit: (data, timestamp, isKey) => this.#videoUnit(data, timestamp, isKey),
      parameterSet: (nal) => {
        this.#keeper.add(nal);
        this.#options.counters.parameterSetsRefused = this.#keeper.refused;
      },
      damaged: () => {
        this.#options.counters.damagedUnits += 1;
        this.#waitForKey('lost-packets');
        this.#options.onKeyMissed?.();
      },
    };
  }

  #videoUnit(data: Buffer, timestamp: number, isKey: boolean): void {
    const { clock, counters, videoTimeline, consumer } = this.#options;
    const now = clock.monotonicMs();
    this.#noteLife(data, now);
    if (isKey) this.#keeper.see(data);
    if (isKey && !this.#takeFormat()) {
      counters.unitsWithoutFormat += 1;
      return;
    }
    if (this.#awaitsKey && !isKey) {
      counters.unitsAwaitingKey += 1;
      this.#options.onKeyMissed?.();
      return;
    }
    this.#awaitsKey = false;
    if (!this.#delivering) this.#options.onDelivering();
    this.#delivering = true;
    this.#place(videoTimeline, this.#videoWall, timestamp, now, true);
    videoTimeline.next(timestamp, isKey, now, true);
    if (this.#break) consumer.discontinuity(this.#break);
    this.#break = null;
    counters.videoUnits += 1;
    if (isKey) counters.keyUnits += 1;
    consumer.accessUnit({
      track: 'video',
      data,
      isKey,
      dts: videoTimeline.dts,
      ctsOffset: videoTimeline.ctsOffset,
      wallMs: this.#replayWallMs ?? Math.round(this.#videoWall.wallMs(videoTimeline.mediaMs, clock.wallMs())),
      room: SAMPLE_HEADER_BYTES,
    });
  }

  /** Coded pictures count themselves: one that repeats the last byte for byte comes from a device that hangs. JPEG pictures do not. */
  #noteLife(data: Buffer, now: number): void {
    const { counters, selection } = this.#options;
    if (videoCodecOf(selection.video) !== 'mjpeg' && this.#lastPicture?.equals(data)) counters.repeatedUnits += 1;
    else this.lastVideoMs = now;
    this.#lastPicture = data;
  }

  #audioUnit(data: Buffer, timestamp: number): void {
    const { clock, counters, audioTimeline, consumer } = this.#options;
    const now = clock.monotonicMs();
    // Sound ahead of the first picture would start a recording that no player opens well.
    if (!this.#announced || this.#break || !audioTimeline) {
      counters.audioLeftOut += 1;
      return;
    }
    this.#place(audioTimeline, this.#audioWall, timestamp, now, false);
    if (!audioTimeline.next(timestamp, true, now, false)) {
      counters.audioLeftOut += 1;
      return;
    }
    counters.audioUnits += 1;
    consumer.accessUnit({
      track: 'audio',
      data,
      isKey: true,
      dts: audioTimeline.dts,
      ctsOffset: 0,
      wallMs: this.#replayWallMs ?? Math.round(this.#audioWall.wallMs(audioTimeline.mediaMs, clock.wallMs())),
      room: SAMPLE_HEADER_BYTES,
    });
  }

  /** Sees to it that the time line has a place for this RTP time. */
  #place(timeline: TrackTimeline, wall: WallClock, timestamp: number, now: number, isVideo: boolean): void {
    const jumps = timeline.jumps(timestamp, now);
    if (timeline.isAnchored && !jumps) return;
    if (jumps) {
      this.#options.counters.timestampJumps += 1;
      // Live pictures follow each other whatever their times say; in a replay a jump is a gap of the footage.
      if (isVideo && this.#options.isReplay) this.#break ??= 'timestamp-jump';
      timeline.restart();
      this.#aligner?.restart();
    }
    wall.forgetReport();
    if (jumps) timeline.rejoin(timestamp, now);
    else timeline.anchor(timestamp, now);
    const track = isVideo ? VIDEO : AUDIO;
    const early = this.#earlyReports[track];
    this.#earlyReports[track] = undefined;
    if (early && Math.abs((early.rtpTime - timestamp) | 0) < EARLY_REPORT_TICKS) this.senderReport(track, early);
  }

  /** Announces a new or changed format ahead of a key picture; false while there is none. */
  #takeFormat(): boolean {
    const video = this.#keeper.format();
    if (!video) return false;
    if (this.#announced && video === this.#format?.video) return true;
    const { consumer, counters, selection, videoTimeline } = this.#options;
    const format: MediaFormat = { video, audio: selection.audioFormat };
    const before = this.#format;
    videoTimeline.stateReorder(this.#keeper.reorderDepth);
    this.#announced = true;
    if (before && isSameFormat(before, format)) {
      this.#format = { ...before, video };
      return true;
    }
    if (before) {
      counters.formatChanges += 1;
      this.#break = 'format-changed';
    }
    this.#format = format;
    consumer.format(format);
    return true;
  }

  #audioSink(): DepacketiserSink {
    return {
      accessUnit: (data, timestamp) => this.#audioUnit(data, timestamp),
      parameterSet: () => undefined,
      damaged: () => {
        this.#options.counters.damagedUnits += 1;
      },
    };
  }
}
