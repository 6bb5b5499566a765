// Shows a live stream through Media Source Extensions: one fragment per access unit appended as it comes, played at the live edge.
import { Mp4Error } from '@vedette/protocols/mp4/box-reader.ts';
import { type FragmentStart, readFragmentStart } from '@vedette/protocols/mp4/fragment-start.ts';
import { readInitSegment } from '@vedette/protocols/mp4/init-reader.ts';
import { mediaSourceClass } from '../decode/media-source.ts';
import { DroppedFrames } from './dropped-frames.ts';
import { FrameTimes } from './frame-times.ts';
import { paintLastFrame } from '../core/last-frame.ts';
import { LiveEdge } from './live-edge.ts';
import type { LiveMedia } from './live-message.ts';
import { SourceBufferQueue } from './source-buffer-queue.ts';
import type { LiveTransport, TransportOptions } from './transport.ts';

/** A decode time that falls behind the last one by more than this means that the camera began a new timeline. */
const BACKWARDS_S = 0.5;

export class MseTransport implements LiveTransport {
  readonly kind = 'mse';
  readonly #options: TransportOptions;
  readonly #source: MediaSource;
  readonly #address: string;
  readonly #abort = new AbortController();
  readonly #edge = new LiveEdge();
  readonly #times = new FrameTimes();
  readonly #dropped = new DroppedFrames();
  readonly #early: LiveMedia[] = [];
  #video: SourceBufferQueue | null = null;
  #audio: SourceBufferQueue | null = null;
  #videoBuffer: SourceBuffer | null = null;
  #timescale = 90_000;
  #lastDts = Number.NEGATIVE_INFINITY;
  #needsKeyframe = true;
  #isStarted = false;
  #frameRequest: number | null = null;

  constructor(options: TransportOptions) {
    const Source = mediaSourceClass();
    if (!Source) throw new TypeError('this browser has no Media Source Extensions');
    this.#options = options;
    this.#source = new Source();
    this.#address = URL.createObjectURL(this.#source);
    const { video } = options;
    const { signal } = this.#abort;
    this.#source.addEventListener('sourceopen', () => this.#openBuffers(), { once: true, signal });
    video.addEventListener('waiting', () => this.#edge.ranDry(options.now()), { signal });
    video.addEventListener('error', () => this.#fail(video.error?.message ?? 'the element failed'), { signal });
    // ManagedMediaSource stands only where remote playback is off.
    video.disableRemotePlayback = true;
    video.src = this.#address;
    this.#watchFrames();
  }

  get droppedFrames(): number {
    if (canCountShown(this.#options.video)) return this.#dropped.count;
    return this.#options.video.getVideoPlaybackQuality().droppedVideoFrames;
  }

  push(media: LiveMedia): void {
    if (this.#abort.signal.aborted) return;
    if (!this.#video) {
      this.#early.push(media);
      return;
    }
    if (media.kind === 'videoInit') this.#takeInit(media);
    else if (media.kind === 'videoFragment') this.#takeFragment(media);
    else if (media.kind === 'audioInit' || media.kind === 'audioFragment') this.#audio?.push(media.payload);
  }

  expectGap(): void {
    this.#needsKeyframe = true;
    this.#edge.reset(this.#options.now());
  }

  hold(): void {
    if (this.#abort.signal.aborted) return;
    this.#abort.abort();
    this.#video?.close();
    this.#audio?.close();
    const { video } = this.#options;
    if (this.#frameRequest !== null) video.cancelVideoFrameCallback(this.#frameRequest);
    video.pause();
    video.playbackRate = 1;
  }

  paint(canvas: HTMLCanvasElement): boolean {
    return paintLastFrame(this.#options.video, canvas);
  }

  close(): void {
    this.hold();
    URL.revokeObjectURL(this.#address);
    const { video } = this.#options;
    // Another transport may have taken the element.
    if (video.src !== this.#address) return;
    video.removeAttribute('src');
    video.load();
  }

  #openBuffers(): void {
    const { videoFormat, audioFormat } = this.#options;
    const queues = { video: videoFormat.codecString, audio: audioFormat?.codecString ?? null };
    try {
      this.#videoBuffer = this.#source.addSourceBuffer(`video/mp4; codecs="${queues.video}"`);
      this.#video = this.#queue(this.#videoBuffer, () => this.#follow());
      if (queues.audio !== null) {
        const buffer = this.#source.addSourceBuffer(`audio/mp4; codecs="${queues.audio}"`);
        this.#audio = this.#queue(buffer, () => undefined);
      }
    } catch (error) {
      if (!(error instanceof DOMException)) throw error;
      this.#options.onFault({ kind: 'format', codec: queues.video });
      return;
    }
    for (const media of this.#early.splice(0)) this.push(media);
  }

  #queue(buffer: SourceBuffer, onDrained: () => void): SourceBufferQueue {
    return new SourceBufferQueue({
      buffer,
      onDrained,
      onFault: (message) => this.#fail(message),
      disposableBefore: () => this.#options.video.currentTime - 2,
    });
  }

  #takeInit(media: LiveMedia): void {
    const track = readInitSegment(media.payload).find((found) => found.kind === 'video');
    if (!track) return this.#fail('an init segment without video');
    this.#timescale = track.timescale;
    this.#needsKeyframe = true;
    this.#video?.push(media.payload);
  }

  #takeFragment(media: LiveMedia): void {
    if (this.#needsKeyframe && !media.isKey) return;
    this.#needsKeyframe = false;
    const first = startOf(media.payload);
    if (!first) return this.#fail('a fragment without sample');
    const dts = first.dts / this.#timescale;
    if (dts < this.#lastDts - BACKWARDS_S) return this.#fail('the time of the stream went back');
    this.#lastDts = dts;
    this.#times.add(dts + first.ctsOffset / this.#timescale, media.wallMs);
    this.#noteMargin();
    this.#video?.push(media.payload);
  }

  #noteMargin(): void {
    const buffered = this.#videoBuffer?.buffered;
    if (!this.#isStarted || !buffered || buffered.length === 0) return;
    this.#edge.beforeAppend(buffered.end(buffered.length - 1) - this.#options.video.currentTime, this.#options.now());
  }

  /** Runs when the buffer took all that waited: the burst of a first GOP counts as one. */
  #follow(): void {
    const { video } = this.#options;
    const { buffered } = this.#audio ? video : (this.#videoBuffer ?? video);
    if (buffered.length === 0) return;
    const last = buffered.length - 1;
    const view = { currentTime: video.currentTime, rangeStart: buffered.start(last), rangeEnd: buffered.end(last) };
    if (!this.#isStarted) {
      this.#isStarted = true;
      video.currentTime = this.#edge.startPosition(view);
      this.#play();
      return;
    }
    if (video.seeking) return;
    const move = this.#edge.move(view, this.#options.now());
    if (move.kind === 'rate') {
      if (video.playbackRate !== move.rate) video.playbackRate = move.rate;
    } else {
      this.#edge.reset(this.#options.now());
      video.currentTime = move.to;
    }
    if (video.paused) this.#play();
  }

  #play(): void {
    const { video } = this.#options;
    video.play().catch((error: unknown) => {
      if (this.#abort.signal.aborted || !(error instanceof DOMException)) return;
      // Sound needs a gesture first; the picture must not wait for it.
      if (error.name === 'NotAllowedError' && !video.muted) {
        video.muted = true;
        this.#play();
      }
    });
  }

  #watchFrames(): void {
    const { video } = this.#options;
    if (!canCountShown(video)) {
      const show = (): void => this.#shown(this.#times.numberOf(video.currentTime), this.#options.now());
      video.addEventListener('timeupdate', show, { signal: this.#abort.signal });
      return;
    }
    const next = (_now: number, frame: VideoFrameCallbackMetadata): void => {
      this.#frameRequest = video.requestVideoFrameCallback(next);
      const number = this.#times.numberOf(frame.mediaTime);
      if (number !== null) this.#dropped.shown(number, frame.presentedFrames);
      this.#shown(number, performance.timeOrigin + frame.expectedDisplayTime);
    };
    this.#frameRequest = video.requestVideoFrameCallback(next);
  }

  #shown(number: number | null, shownAtMs: number): void {
    const { videoWidth: width, videoHeight: height } = this.#options.video;
    if (width === 0) return;
    this.#options.onFrame({ width, height, wallMs: number === null ? null : this.#times.wallMsOf(number), shownAtMs });
  }

  #fail(message: string): void {
    if (!this.#abort.signal.aborted) this.#options.onFault({ kind: 'decode', message });
  }
}

function canCountShown(video: HTMLVideoElement): boolean {
  return 'requestVideoFrameCallback' in video;
}

/** Null for bytes that are no fragment. */
function startOf(fragment: Uint8Array): FragmentStart | null {
  try {
    return readFragmentStart(fragment);
  } catch (error) {
    if (error instanceof Mp4Error) return null;
    throw error;
  }
}
