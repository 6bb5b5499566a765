// Turns the packets of one RTSP session into access units with decode and capture times.
import { readReplayExtension, type RtpHeader } from '@vedette/protocols/rtp/packet.ts';
import type { Depacketiser, DepacketiserSink } from '@vedette/protocols/rtp/picture-assembler.ts';
import type { SenderReport } from '@vedette/protocols/rtp/rtcp.ts';
import type { Slab } from '@vedette/protocols/rtp/slab-pool.ts';
import type { RtspMediaSink } from '@vedette/protocols/rtsp/media-channel.ts';
import { spropParameterSets } from '@vedette/protocols/sdp/parameter-sets.ts';
import type { SdpMedia } from '@vedette/protocols/sdp/sdp.ts';
import type { Clock } from '@vedette/foundation/time/clock.ts';
import { UNIT_ROOM_BYTES } from '../stream/live-fragment.ts';
import type { AudioFormat, DiscontinuityReason, MediaFormat, StreamConsumer } from '../stream/stream.ts';
import type { SourceCounters } from '../stream/source-counters.ts';
import { isSameFormat } from '../stream/same-format.ts';
import { CONNECTING, deliveryInterrupted, deliveryStep, type FrameEvent } from './delivery-step.ts';
import type { FormatTracker } from './format-tracker.ts';
import { RepeatedFrameDetector } from './repeated-frame-detector.ts';
import { LeadingFrames } from './leading-frames.ts';
import { openAudio, openFormatTracker, openVideo } from './open-depacketiser.ts';
import { AudioAligner } from './audio-aligner.ts';
import { AudioPresence } from './audio-presence.ts';
import type { TrackTimeline } from './track-timeline.ts';
import { TrackTimes } from './track-times.ts';
import { audioFormatOf, describedAs, type TrackSelection, videoCodecOf } from './track-selection.ts';
import { type DeviceClock, CaptureClock } from './capture-clock.ts';

const VIDEO = 0;
const AUDIO = 1;
/** `watchedMs` is updated about once a second: an older value means that this process stalled. */
const STOOD_STILL_MS = 3000;
/** Frames in a row of another codec than described; a single one may be damage. */
const FOREIGN_FRAMES = 3;

export interface UnitReaderOptions {
  readonly clock: Clock;
  readonly selection: TrackSelection & { readonly video: SdpMedia };
  /** Timelines live longer than a connection, so that decode times only go forward over all of them. */
  readonly videoTimeline: TrackTimeline;
  readonly audioTimelineOf: (media: SdpMedia, format: AudioFormat) => TrackTimeline;
  readonly consumer: StreamConsumer;
  readonly counters: SourceCounters;
  readonly previousFormat: MediaFormat | null;
  /** From earlier connections, if known. */
  readonly deviceClock?: DeviceClock;
  /** ONVIF replay: capture times come from the packets, and the pace of arrival says nothing. */
  readonly isReplay: boolean;
  /** Called once, ahead of the first frame. */
  readonly onDelivering: () => void;
  /** Called for every frame that is left out because its keyframe is missing. */
  readonly onKeyframeMissed?: () => void;
  /** The device sends a codec that it never described: reconnect. */
  readonly onUndescribed?: () => void;
}

interface VideoTrack {
  readonly media: SdpMedia;
  readonly formatTracker: FormatTracker;
  readonly depacketiser: Depacketiser;
  /** Of H.264 alone: decoders of H.265 know by the types of frames. */
  readonly leading: LeadingFrames | null;
}

interface AudioTrack {
  readonly media: SdpMedia;
  readonly format: AudioFormat;
  readonly depacketiser: Depacketiser;
  readonly times: TrackTimes;
  readonly aligner: AudioAligner;
}

export class UnitReader implements RtspMediaSink {
  readonly #options: UnitReaderOptions;
  #video: VideoTrack;
  #audio: AudioTrack | null;
  readonly #videoTimes: TrackTimes;
  readonly #audioWall: CaptureClock;
  readonly #presence = new AudioPresence();
  #foreignFrames = 0;
  #format: MediaFormat | null;
  #delivery = CONNECTING;
  #terminal = false;
  /** Capture time of the present packet, from the replay extension. */
  #replayWallMs: number | null = null;
  readonly #last = new RepeatedFrameDetector();
  /** Monotonic time of the last whole frame, delivered or not, that did not repeat the one before. */
  lastVideoMs: number;
  /** Monotonic time at which the connection was last checked. */
  watchedMs: number;

  constructor(options: UnitReaderOptions) {
    this.#options = options;
    this.#format = options.previousFormat;
    const { deviceClock = { offsetMs: null } } = options;
    this.#videoTimes = new TrackTimes(options.videoTimeline, new CaptureClock(deviceClock), options.clock);
    this.#audioWall = new CaptureClock(deviceClock);
    const { video, audio, audioFormat } = options.selection;
    this.#video = this.#openVideo(video);
    this.#audio = audio && audioFormat && this.#openAudio(audio, audioFormat);
    options.videoTimeline.restart();
    this.lastVideoMs = options.clock.monotonicMs();
    this.watchedMs = this.lastVideoMs;
  }

  /** Whether the replay has ended, by its last packet or BYE. */
  get isTerminal(): boolean {
    return this.#terminal;
  }

  /** Last announced format, for the next connection. */
  get format(): MediaFormat | null {
    return this.#format;
  }

  /** How much later the capture times of video are than those of the device's own clock; null while it reports none. */
  get leadMs(): number | null {
    return this.#videoTimes.leadMs;
  }

  packet(track: number, header: RtpHeader, buffer: Buffer, lostBefore: number): void {
    if (this.#options.isReplay) this.#readReplay(buffer, header, track);
    if (track === VIDEO) this.#followVideo(header.payloadType);
    else this.#followAudio(header.payloadType);
    const reader = (track === VIDEO ? this.#video : this.#audio)?.depacketiser;
    if (lostBefore !== 0) {
      reader?.gap();
      if (track === VIDEO) this.#waitForKeyframe('lost-packets');
    }
    if (reader === undefined) return;
    const { extensionProfile: profile } = header;
    if (profile >= 0) reader.extension?.(profile, buffer.subarray(header.extensionStart, header.extensionEnd));
    reader.packet(buffer, header);
  }

  senderReport(track: number, report: SenderReport): void {
    const times = track === VIDEO ? this.#videoTimes : this.#audio?.times;
    if (times?.report(report)) this.#audio?.aligner.report(track === VIDEO, report);
  }

  /** Live devices send BYE and continue; in a replay it is the end. */
  bye(): void {
    this.#terminal = true;
  }

  undescribed(): void {
    this.#options.onUndescribed?.();
  }

  #openVideo(media: SdpMedia): VideoTrack {
    const formatTracker = openFormatTracker(media);
    for (const set of spropParameterSets(media)) formatTracker.add(set);
    const depacketiser = openVideo(media, this.#videoSink(), this.#options.consumer.slabs ?? null);
    return { media, formatTracker, depacketiser, leading: videoCodecOf(media) === 'h264' ? new LeadingFrames() : null };
  }

  #openAudio(media: SdpMedia, format: AudioFormat): AudioTrack {
    const timeline = this.#options.audioTimelineOf(media, format);
    timeline.restart();
    const aligner = new AudioAligner(this.#options.videoTimeline, timeline);
    const times = new TrackTimes(timeline, this.#audioWall, this.#options.clock);
    const depacketiser = openAudio(media, format, this.#audioSink(), this.#options.consumer.slabs ?? null);
    return { media, format, depacketiser, times, aligner };
  }

  /** A device may change to another codec of those it described, during the session. */
  #followVideo(payloadType: number): void {
    if (payloadType === this.#video.media.payloadType) return;
    const media = describedAs(this.#options.selection.video, payloadType);
    if (!media || media.payloadType === this.#video.media.payloadType) return;
    this.#video = this.#openVideo(media);
    this.#waitForKeyframe('format-changed');
  }

  /** Its audio is left out up to the next keyframe, with which a format can begin. */
  #followAudio(payloadType: number): void {
    if (!this.#audio || payloadType === this.#audio.media.payloadType) return;
    const media = describedAs(this.#options.selection.audio, payloadType);
    const format = media && media.payloadType !== this.#audio.media.payloadType ? audioFormatOf(media) : null;
    if (!media || !format) return;
    this.#audio = this.#openAudio(media, format);
    this.#options.onKeyframeMissed?.();
  }

  /** What is received now; a track that stays silent counts as none. */
  get #audioFormat(): AudioFormat | null {
    return this.#presence.isThere || this.#options.isReplay ? (this.#audio?.format ?? null) : null;
  }

  #readReplay(buffer: Buffer, header: RtpHeader, track: number): void {
    const extension = readReplayExtension(buffer, header);
    if (!extension) return;
    this.#replayWallMs = extension.wallMs;
    if (extension.isDiscontinuity && track === VIDEO) this.#waitForKeyframe('timestamp-jump');
    if (extension.isTerminal && track === VIDEO) this.#terminal = true;
  }

  #waitForKeyframe(reason: DiscontinuityReason): void {
    this.#delivery = deliveryInterrupted(this.#delivery, reason);
  }

  #videoSink(): DepacketiserSink {
    return {
      accessUnit: (data, timestamp, isKey, slab) => this.#videoUnit(data, timestamp, isKey, slab),
      parameterSet: (nal) => {
        this.#video.formatTracker.add(nal);
        this.#options.counters.parameterSetsRefused = this.#video.formatTracker.refused;
      },
      damaged: (reason) => {
        this.#options.counters.damagedUnits += 1;
        this.#foreignFrames = reason === 'foreign-codec' ? this.#foreignFrames + 1 : 0;
        if (this.#foreignFrames === FOREIGN_FRAMES) this.#options.onUndescribed?.();
        this.#waitForKeyframe('lost-packets');
        this.#options.onKeyframeMissed?.();
      },
    };
  }

  #videoUnit(data: Buffer, timestamp: number, isKey: boolean, slab: Slab | undefined): void {
    const { clock, counters, videoTimeline, consumer } = this.#options;
    const now = clock.monotonicMs();
    this.#noteStandstill(now);
    this.#noteLife(data, slab, now);
    this.#presence.video(now);
    const { state, effect } = deliveryStep(this.#delivery, isKey ? this.#keyframeEvent(data) : 'frame');
    this.#delivery = state;
    if (effect.kind === 'leave-out') return this.#leaveOut(effect.cause);
    if (this.#video.leading?.has(data, timestamp, isKey) === true) {
      counters.leadingUnits += 1;
      return;
    }
    if (effect.isFirst) this.#options.onDelivering();
    const gap = this.#place(this.#videoTimes, timestamp, now, true);
    videoTimeline.next(timestamp, isKey, now, true);
    const discontinuity = effect.discontinuity ?? gap;
    if (discontinuity !== null) consumer.discontinuity(discontinuity);
    counters.videoUnits += 1;
    if (isKey) counters.keyUnits += 1;
    consumer.accessUnit({
      track: 'video',
      data,
      isKey,
      dts: videoTimeline.dts,
      ctsOffset: videoTimeline.ctsOffset,
      wallMs: this.#replayWallMs ?? this.#videoTimes.wallMs(now),
      room: UNIT_ROOM_BYTES,
      slab,
    });
  }

  #leaveOut(cause: 'awaits-keyframe' | 'format-unknown'): void {
    const { counters, onKeyframeMissed } = this.#options;
    if (cause === 'format-unknown') {
      counters.unitsWithoutFormat += 1;
      return;
    }
    counters.unitsAwaitingKey += 1;
    onKeyframeMissed?.();
  }

  #noteStandstill(now: number): void {
    if (now - this.watchedMs < STOOD_STILL_MS) return;
    this.watchedMs = now;
    this.#options.videoTimeline.stoodStill(now);
    this.#audio?.times.timeline.stoodStill(now);
  }

  /** JPEG frames of a still scene may be alike. */
  #noteLife(data: Buffer, slab: Slab | undefined, now: number): void {
    this.#foreignFrames = 0;
    const isRepeated = this.#last.isRepeatedBy(data, slab) && videoCodecOf(this.#video.media) !== 'mjpeg';
    if (isRepeated) this.#options.counters.repeatedUnits += 1;
    else this.lastVideoMs = now;
  }

  #audioUnit(data: Buffer, timestamp: number, slab: Slab | undefined): void {
    const { clock, counters, consumer } = this.#options;
    const now = clock.monotonicMs();
    this.#noteStandstill(now);
    if (this.#presence.audio()) this.#options.onKeyframeMissed?.();
    const times = this.#audio?.times;
    // Audio ahead of the first frame would start a recording that no player opens well.
    if (this.#delivery.kind !== 'delivering' || this.#format?.audio !== this.#audioFormat || !times) {
      counters.audioLeftOut += 1;
      return;
    }
    this.#place(times, timestamp, now, false);
    if (!times.timeline.next(timestamp, true, now, false)) {
      counters.audioLeftOut += 1;
      return;
    }
    counters.audioUnits += 1;
    consumer.accessUnit({
      track: 'audio',
      data,
      isKey: true,
      dts: times.timeline.dts,
      ctsOffset: 0,
      wallMs: this.#replayWallMs ?? times.wallMs(now),
      room: UNIT_ROOM_BYTES,
      slab,
    });
  }

  /** Ensures that the timeline has a place for this RTP time; the break, if any, that a jump of the time is. */
  #place(times: TrackTimes, timestamp: number, now: number, isVideo: boolean): DiscontinuityReason | null {
    const { timeline } = times;
    const jumps = timeline.jumps(timestamp, now);
    if (timeline.isAnchored && !jumps) return null;
    if (jumps) {
      this.#options.counters.timestampJumps += 1;
      timeline.restart();
      this.#audio?.aligner.restart();
    }
    const early = times.lay(timestamp, now, jumps);
    if (early) this.senderReport(isVideo ? VIDEO : AUDIO, early);
    // Live frames follow each other whatever their times say; in a replay a jump is a gap of the recording.
    return jumps && this.#options.isReplay ? 'timestamp-jump' : null;
  }

  /** Announces a new or changed format ahead of its keyframe. */
  #keyframeEvent(data: Buffer): FrameEvent {
    const { formatTracker } = this.#video;
    formatTracker.see(data);
    const video = formatTracker.format();
    if (!video) return 'keyframe-without-format';
    const before = this.#format;
    const audio = this.#audioFormat;
    const isConnecting = this.#delivery.kind === 'connecting';
    if (!isConnecting && video === before?.video && audio === before.audio) return 'keyframe';
    const { consumer, counters, videoTimeline } = this.#options;
    const format: MediaFormat = { video, audio };
    videoTimeline.stateReorder(formatTracker.reorderDepth);
    this.#format = format;
    if (before && isSameFormat(before, format)) return 'keyframe';
    if (before) counters.formatChanges += 1;
    consumer.format(format);
    return before ? 'keyframe-of-new-format' : 'keyframe';
  }

  #audioSink(): DepacketiserSink {
    return {
      accessUnit: (data, timestamp, _isKey, slab) => this.#audioUnit(data, timestamp, slab),
      parameterSet: () => undefined,
      damaged: () => {
        this.#options.counters.damagedUnits += 1;
      },
    };
  }
}
