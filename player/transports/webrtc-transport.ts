// Shows a live stream that comes by WebRTC straight from its site: posts an offer, receives media over UDP, gives up early.
import { type RtcTracks, TRACKS_CHANNEL, TRACKS_WORDS } from '@vedette/contract/media-wire.ts';
import { paintLastFrame } from '../core/last-frame.ts';
import { RtpTime } from './rtp-time.ts';
import type { LiveTransport, TransportOptions } from './transport.ts';

/** A site that answers does so within; then a way that exists is found and has shown a picture within as much again. */
const FIRST_FRAME_WITHIN_MS = 3500;
/** Where pictures stay away for so long the way through the local site is the better one. */
const STILL_AFTER_MS = 1500;
/** Pictures that wait longer than this before they are shown have fallen behind. */
const BUFFERED_MAX_S = 0.8;
const LOOK_EVERY_MS = 500;

export class WebRtcTransport implements LiveTransport {
  readonly kind = 'webrtc';
  readonly #options: TransportOptions;
  readonly #address: string;
  readonly #abort = new AbortController();
  readonly #connection: RTCPeerConnection;
  readonly #stream = new MediaStream();
  readonly #tracks: RTCDataChannel;
  readonly #rtpTime = new RtpTime();
  #follows = false;
  /** When it was offered, then when it was answered. */
  #startedAt: number;
  #lastFrameAt: number | null = null;
  #frameRequest: number | null = null;
  #timer: ReturnType<typeof setTimeout> | null = null;
  #delays = { seconds: 0, frames: 0 };
  #receivedBytes = 0;
  /** From here to the site and back; null until the browser knows it. */
  #roundTripMs: number | null = null;
  #isAnswered = false;

  constructor(options: TransportOptions) {
    if (options.whepUrl === null) throw new TypeError('WebRTC needs an address');
    this.#options = options;
    this.#address = options.whepUrl;
    this.#startedAt = options.now();
    this.#connection = new RTCPeerConnection({ iceServers: [], bundlePolicy: 'max-bundle' });
    this.#connection.addTransceiver('video', { direction: 'recvonly' });
    this.#connection.addTransceiver('audio', { direction: 'recvonly' });
    this.#tracks = this.#openTracks();
    this.#connection.ontrack = ({ track }) => this.#stream.addTrack(track);
    this.#connection.onconnectionstatechange = () => {
      const { connectionState } = this.#connection;
      if (connectionState === 'failed' || connectionState === 'closed' || connectionState === 'disconnected')
        this.#fail();
    };
    const { video } = options;
    video.srcObject = this.#stream;
    video.autoplay = true;
    this.#watchFrames();
    this.#look();
    void this.#offer();
  }

  get droppedFrames(): number {
    return this.#options.video.getVideoPlaybackQuality().droppedVideoFrames;
  }

  push(): void {
    // The media come another way.
  }

  expectGap(): void {
    // There is no past to skip: what comes is shown.
  }

  follow(isWanted: boolean): void {
    if (isWanted === this.#follows) return;
    this.#follows = isWanted;
    if (this.#tracks.readyState === 'open') this.#tracks.send(TRACKS_WORDS[isWanted ? 'follow' : 'leave']);
  }

  hold(): void {
    if (this.#abort.signal.aborted) return;
    this.#abort.abort();
    const { video } = this.#options;
    if (this.#frameRequest !== null) video.cancelVideoFrameCallback(this.#frameRequest);
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#connection.close();
    video.pause();
    video.autoplay = false;
    // The site notices by itself where this does not arrive.
    if (this.#isAnswered) void fetch(this.#address, { method: 'DELETE', keepalive: true }).catch(() => undefined);
  }

  paint(canvas: HTMLCanvasElement): boolean {
    return paintLastFrame(this.#options.video, canvas);
  }

  close(): void {
    this.hold();
    const { video } = this.#options;
    if (video.srcObject === this.#stream) video.srcObject = null;
  }

  /** A site that is older leaves it out, or never says anything on it. */
  #openTracks(): RTCDataChannel {
    const channel = this.#connection.createDataChannel(TRACKS_CHANNEL);
    channel.onopen = () => {
      if (this.#follows) channel.send(TRACKS_WORDS.follow);
    };
    channel.onmessage = ({ data }: MessageEvent<string>) => {
      if (!this.#follows || this.#abort.signal.aborted) return;
      // The site is ours; the page trusts it with its video.
      const { at, rtpTime, tracks } = JSON.parse(data) as RtcTracks;
      this.#rtpTime.learn(at, rtpTime);
      this.#options.onTracks?.({ at, tracks });
    };
    return channel;
  }

  async #offer(): Promise<void> {
    const { signal } = this.#abort;
    try {
      await this.#connection.setLocalDescription(await this.#connection.createOffer());
      const answer = await fetch(this.#address, {
        method: 'POST',
        headers: { 'content-type': 'application/sdp' },
        body: this.#connection.localDescription?.sdp ?? '',
        signal,
      });
      if (answer.status !== 201) return this.#fail();
      this.#isAnswered = true;
      this.#startedAt = this.#options.now();
      const sdp = await answer.text();
      if (signal.aborted) return;
      await this.#connection.setRemoteDescription({ type: 'answer', sdp });
      await this.#options.video.play();
    } catch (error) {
      // Sound may need a gesture; whatever else went wrong is the same to the tile.
      if (error instanceof DOMException && error.name === 'NotAllowedError') this.#options.video.muted = true;
      else this.#fail();
    }
  }

  #watchFrames(): void {
    const { video, now, onFrame } = this.#options;
    const next = (_now: number, frame: VideoFrameCallbackMetadata): void => {
      this.#frameRequest = video.requestVideoFrameCallback(next);
      this.#lastFrameAt = now();
      const { width, height, expectedDisplayTime, receiveTime, rtpTimestamp } = frame;
      const isKnown = receiveTime !== undefined && this.#roundTripMs !== null;
      onFrame({
        width,
        height,
        wallMs: null,
        tracksMs: this.#rtpTime.captureMs(rtpTimestamp),
        shownAtMs: performance.timeOrigin + expectedDisplayTime,
        ...(isKnown && { delayMs: expectedDisplayTime - receiveTime + (this.#roundTripMs ?? 0) / 2 }),
      });
    };
    this.#frameRequest = video.requestVideoFrameCallback(next);
  }

  #look(): void {
    this.#timer = setTimeout(() => {
      if (this.#abort.signal.aborted) return;
      const now = this.#options.now();
      // A page that nobody sees is given no frames.
      if (document.hidden) this.#lastFrameAt &&= now;
      else if (this.#lastFrameAt === null && now - this.#startedAt > FIRST_FRAME_WITHIN_MS) return this.#fail();
      else if (this.#lastFrameAt !== null && now - this.#lastFrameAt > STILL_AFTER_MS) return this.#fail();
      void this.#measure();
      this.#look();
    }, LOOK_EVERY_MS);
  }

  /** What came since the last look, on which way, and how long pictures waited in the browser. */
  async #measure(): Promise<void> {
    const reports = await this.#connection.getStats();
    let receivedBytes = 0;
    for (const report of reports.values() as Iterable<RTCInboundRtpStreamStats | RTCIceCandidatePairStats>) {
      if (isInbound(report)) {
        receivedBytes += report.bytesReceived ?? 0;
        if (report.kind === 'video') this.#lookAtWaiting(report);
      } else if (report.type === 'candidate-pair' && report.nominated && report.currentRoundTripTime !== undefined) {
        this.#roundTripMs = report.currentRoundTripTime * 1000;
      }
    }
    this.#options.onReceived?.(Math.max(0, receivedBytes - this.#receivedBytes));
    this.#receivedBytes = receivedBytes;
  }

  #lookAtWaiting({ jitterBufferDelay: seconds = 0, jitterBufferEmittedCount: frames = 0 }: RTCInboundRtpStreamStats) {
    const waited = (seconds - this.#delays.seconds) / Math.max(1, frames - this.#delays.frames);
    const isKnown = this.#delays.frames > 0;
    this.#delays = { seconds, frames };
    if (isKnown && waited > BUFFERED_MAX_S) this.#fail();
  }

  #fail(): void {
    if (!this.#abort.signal.aborted) this.#options.onFault({ kind: 'lag' });
  }
}

function isInbound(report: RTCInboundRtpStreamStats | RTCIceCandidatePairStats): report is RTCInboundRtpStreamStats {
  return report.type === 'inbound-rtp';
}
