// Shows a live stream through HLS, the fallback where the media socket is blocked or nothing else decodes: seconds late.
import type Hls from 'hls.js/light';
import { mediaSourceClass } from '../decode/media-source.ts';
import { paintLastFrame } from '../core/last-frame.ts';
import { HlsTrackQuestions } from './hls-tracks.ts';
import type { LiveTransport, TransportOptions } from './transport.ts';

export class HlsTransport implements LiveTransport {
  readonly kind = 'hls';
  readonly #options: TransportOptions;
  readonly #abort = new AbortController();
  readonly #url: string;
  readonly #tracks: HlsTrackQuestions;
  #hls: Hls | null = null;
  #frameRequest: number | null = null;

  constructor(options: TransportOptions) {
    if (options.hlsUrl === null) throw new TypeError('HLS needs an address');
    this.#options = options;
    this.#url = options.hlsUrl;
    const { video, onTracks = () => undefined } = options;
    this.#tracks = new HlsTrackQuestions({ url: this.#url, onTracks });
    const { signal } = this.#abort;
    video.addEventListener('error', () => this.#fail(video.error?.message ?? 'the element failed'), { signal });
    if (mediaSourceClass()) void this.#load();
    else this.#playNative(signal);
    this.#watchFrames();
    video.autoplay = true;
  }

  get droppedFrames(): number {
    return this.#options.video.getVideoPlaybackQuality().droppedVideoFrames;
  }

  push(): void {
    // The segments are fetched over HTTP.
  }

  expectGap(): void {
    // Shown again after it was hidden: the past is skipped.
    this.#hls?.startLoad(-1);
    void this.#options.video.play().catch(() => undefined); // autoplay goes on by itself
  }

  follow(isWanted: boolean): void {
    if (!this.#abort.signal.aborted) this.#tracks.follow(isWanted);
  }

  hold(): void {
    if (this.#abort.signal.aborted) return;
    this.#abort.abort();
    this.#tracks.follow(false);
    const { video } = this.#options;
    if (this.#frameRequest !== null) video.cancelVideoFrameCallback(this.#frameRequest);
    this.#hls?.stopLoad();
    video.pause();
    video.autoplay = false;
  }

  paint(canvas: HTMLCanvasElement): boolean {
    return paintLastFrame(this.#options.video, canvas);
  }

  close(): void {
    this.hold();
    if (this.#hls) return this.#hls.destroy();
    const { video } = this.#options;
    if (video.src !== this.#url) return;
    video.removeAttribute('src');
    video.load();
  }

  #playNative(signal: AbortSignal): void {
    const { video, onAudioInVideo } = this.#options;
    video.addEventListener('loadedmetadata', () => onAudioInVideo?.(hasAudioTrack(video)), { signal });
    video.src = this.#url;
  }

  async #load(): Promise<void> {
    const { default: Hls } = await import('hls.js/light');
    if (this.#abort.signal.aborted) return;
    const hls = new Hls({
      liveSyncDurationCount: 1,
      liveMaxLatencyDurationCount: 4,
      maxLiveSyncPlaybackRate: 1.2,
      backBufferLength: 10,
      enableWorker: false,
    });
    this.#hls = hls;
    hls.on(Hls.Events.ERROR, (_event, error) => {
      const status = error.response?.code ?? 0;
      if (status >= 400 && status < 500) return this.#options.onFault({ kind: 'over' });
      if (
        error.details === Hls.ErrorDetails.BUFFER_INCOMPATIBLE_CODECS_ERROR ||
        error.details === Hls.ErrorDetails.BUFFER_ADD_CODEC_ERROR
      ) {
        return this.#options.onFault({ kind: 'format', codec: this.#options.videoFormat.codecString });
      }
      if (error.fatal) this.#fail(error.error?.message ?? error.details);
    });
    hls.on(Hls.Events.BUFFER_CREATED, (_event, { tracks }) => {
      const codecs = Object.values(tracks).map(({ codec }) => codec ?? '');
      this.#options.onAudioInVideo?.(codecs.some((codec) => codec.includes('mp4a')));
    });
    hls.loadSource(this.#url);
    hls.attachMedia(this.#options.video);
  }

  #watchFrames(): void {
    const { video } = this.#options;
    const next = (_now: number, frame: VideoFrameCallbackMetadata): void => {
      this.#frameRequest = video.requestVideoFrameCallback(next);
      const { width, height, mediaTime } = frame;
      const shownAtMs = performance.timeOrigin + frame.expectedDisplayTime;
      this.#options.onFrame({ width, height, wallMs: this.#captureMs(mediaTime), shownAtMs });
    };
    this.#frameRequest = video.requestVideoFrameCallback(next);
  }

  /** By the dates of the playlist; null where the browser does not tell them. */
  #captureMs(mediaTime: number): number | null {
    const { video } = this.#options;
    if (!this.#hls) return startDateMs(video, mediaTime);
    const playing = this.#hls.playingDate?.getTime();
    // The position of the element is a little ahead of the frame on screen.
    return playing === undefined ? null : playing + (mediaTime - video.currentTime) * 1000;
  }

  #fail(message: string): void {
    if (!this.#abort.signal.aborted) this.#options.onFault({ kind: 'decode', message });
  }
}

/** Browsers that play HLS themselves list the tracks. */
function hasAudioTrack(video: HTMLVideoElement): boolean {
  const { audioTracks } = video as HTMLVideoElement & { readonly audioTracks?: { readonly length: number } };
  return audioTracks === undefined || audioTracks.length > 0;
}

/** Browsers that play HLS themselves tell the date of the zero of their timeline. */
function startDateMs(video: HTMLVideoElement, mediaTime: number): number | null {
  const { getStartDate } = video as HTMLVideoElement & { readonly getStartDate?: () => Date };
  const startMs = getStartDate?.call(video).getTime() ?? Number.NaN;
  return Number.isNaN(startMs) ? null : startMs + mediaTime * 1000;
}
