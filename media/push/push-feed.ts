// Turns the units of a stream into FLV bodies for one RTMP publisher, from the newest keyframe on.
import { audioConfigBody, audioFrameBody, type FlvAudio } from '@vedette/protocols/flv/audio-body.ts';
import { flvMetadata } from '@vedette/protocols/flv/metadata.ts';
import { type FlvVideoCodec, videoConfigBody, videoFrameBody } from '@vedette/protocols/flv/video-body.ts';
import type { RtmpPublisher } from '@vedette/protocols/rtmp/publisher.ts';
import type { AccessUnit, AudioFormat, MediaFormat, StreamConsumer, VideoFormat } from '../stream/stream.ts';
import { PushTimeline } from './push-timeline.ts';

export interface PushFeedOptions {
  readonly publisher: Pick<RtmpPublisher, 'metadata' | 'video' | 'audio' | 'queuedBytes'>;
  readonly onSent: (bytes: number) => void;
  /** A server expects one pair of codecs for each connection. */
  readonly onOtherCodec: () => void;
}

/** With more waiting, nothing is sent until the next keyframe. */
const QUEUE_LIMIT_BYTES = 2 * 1024 * 1024;
const VIDEO_TICKS_PER_MS = 90;

export class PushFeed implements StreamConsumer {
  /** Messages are copies. */
  readonly holdsSlabs = true;
  readonly #options: PushFeedOptions;
  readonly #timeline = new PushTimeline();
  #video: (VideoFormat & { readonly codec: FlvVideoCodec }) | null = null;
  #audio: { readonly flv: FlvAudio; readonly sampleRate: number } | null = null;
  #awaitsKeyframe = true;
  #skippedUnits = 0;

  constructor(options: PushFeedOptions) {
    this.#options = options;
  }

  /** Left out for a server that is too slow, and before keyframes. */
  get skippedUnits(): number {
    return this.#skippedUnits;
  }

  format(format: MediaFormat): void {
    const video = pushableVideo(format.video);
    const audio = pushableAudio(format.audio);
    const isOther = this.#video !== null && this.#video.codec !== video?.codec;
    if (isOther || (this.#video !== null && this.#audio?.flv.codec !== audio?.flv.codec)) {
      this.#options.onOtherCodec();
      return;
    }
    this.#video = video;
    this.#audio = audio;
    this.#awaitsKeyframe = true;
    if (video !== null) this.#announce(video);
  }

  accessUnit(unit: AccessUnit): void {
    if (this.#video === null) return;
    if (this.#options.publisher.queuedBytes > QUEUE_LIMIT_BYTES) this.#awaitsKeyframe = true;
    else if (unit.track === 'video' && unit.isKey) this.#awaitsKeyframe = false;
    if (this.#awaitsKeyframe) this.#skippedUnits += 1;
    else if (unit.track === 'video') this.#sendVideo(unit, this.#video.codec);
    else this.#sendAudio(unit);
  }

  discontinuity(): void {
    this.#timeline.break();
    this.#awaitsKeyframe = true;
  }

  state(): void {
    // Whoever holds the stream looks at its state.
  }

  #announce(video: VideoFormat & { readonly codec: FlvVideoCodec }): void {
    const { publisher } = this.#options;
    const audio = this.#audio?.flv ?? null;
    publisher.metadata(flvMetadata(video, audio));
    publisher.video(0, videoConfigBody(video.codec, video.config));
    if (audio !== null) publisher.audio(0, audioConfigBody(audio));
  }

  #sendVideo(unit: AccessUnit, codec: FlvVideoCodec): void {
    const timeMs = this.#timeline.at(unit, 0);
    const compositionMs = Math.round(unit.ctsOffset / VIDEO_TICKS_PER_MS);
    const frame = { isKey: unit.isKey, compositionMs, data: unit.data };
    this.#options.publisher.video(timeMs, videoFrameBody(codec, frame));
    this.#options.onSent(unit.data.length);
  }

  #sendAudio(unit: AccessUnit): void {
    if (this.#audio === null) return;
    const timeMs = this.#timeline.at(unit, this.#audio.sampleRate);
    this.#options.publisher.audio(timeMs, audioFrameBody(this.#audio.flv, unit.data));
    this.#options.onSent(unit.data.length);
  }
}

/** What RTMP carries; null: nothing, or MJPEG. */
export function pushableVideo(video: VideoFormat | null): (VideoFormat & { readonly codec: FlvVideoCodec }) | null {
  if (video === null || video.codec === 'mjpeg') return null;
  return { ...video, codec: video.codec };
}

/** G.711 is left out: servers that take it are rare, and it comes as AAC where there is an ffmpeg. */
function pushableAudio(audio: AudioFormat | null): { readonly flv: FlvAudio; readonly sampleRate: number } | null {
  if (audio === null) return null;
  const { codec, sampleRate, channels, config } = audio;
  if (codec === 'aac') return { flv: { codec, config }, sampleRate };
  return codec === 'opus' ? { flv: { codec, channels, sampleRate }, sampleRate } : null;
}
