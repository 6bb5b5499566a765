// One session of a live tile: ticket, subscription, video and audio. Reports its end; the owner decides what follows.
import { errorMessage } from '@vedette/foundation/errors/error-message.ts';
import type { LiveTracks } from '@vedette/contract/media-wire.ts';
import { siteOfTicket } from '@vedette/contract/remote-site.ts';
import { playableFamilies } from '../decode/decoder-support.ts';
import { LatencyMeter } from '../core/latency-meter.ts';
import { captureTimeOf, latencyOf } from './frame-latency.ts';
import type { LiveSubscription, TileNotice } from '../transports/live-connection.ts';
import type { LiveMedia } from '../transports/live-message.ts';
import { TransportSwitcher } from './transport-switcher.ts';
import type { SessionEnd, TileSessionOptions } from './tile-session-options.ts';
import type { TicketAnswer } from './tile-source.ts';
import { TileAudio } from './tile-audio.ts';
import { LineLag } from './line-lag.ts';
import type { ShownFrame } from '../transports/transport.ts';
import type { TilePolicy } from '../transports/transport-policy.ts';

type Ticket = Extract<TicketAnswer, { kind: 'ticket' }>;

const SILENT_AFTER_MS = 4000;
const GIVE_UP_AFTER_MS = 20_000;
const SLOT_MAX_MS = 3000;
const WATCH_EVERY_MS = 1000;

export class TileSession {
  readonly #options: TileSessionOptions;
  readonly #abort = new AbortController();
  readonly #latency = new LatencyMeter();
  readonly #tilePolicy: TilePolicy;
  readonly #audio: TileAudio;
  readonly #lag = new LineLag();
  #slot: (() => void) | null = null;
  #subscription: LiveSubscription | null = null;
  #switcher: TransportSwitcher | null = null;
  #isPaused = false;
  /** The site for direct media; null through the local site. */
  #directSite: string | null = null;
  #lastMediaAt = 0;
  #receivedBytes = 0;
  /** Frames skipped by the engine because this page was too slow. */
  #skipped = 0;
  #counted = { dropped: 0, late: 0 };
  #followsTracks: boolean;
  #isFormatKnown = false;

  constructor(options: TileSessionOptions) {
    this.#options = options;
    this.#followsTracks = options.followsTracks;
    const { policy, audioOutput: output, clock, audio: isWanted, volume, onAudioState: onState } = options;
    // Counted before opening, so that the tiles of a wall know its size from the start.
    this.#tilePolicy = policy.join(() => void this.#switcher?.reconsider());
    this.#tilePolicy.setLowLatency(options.wantsLatency);
    this.#audio = new TileAudio({ output, clock, isWanted, volume, onState });
  }

  /** Received in this attempt, without HLS. */
  get receivedBytes(): number {
    return this.#receivedBytes;
  }

  async start(): Promise<void> {
    const { opening, clock } = this.#options;
    const { signal } = this.#abort;
    try {
      this.#slot = await opening.enter({ signal });
      clock.after(SLOT_MAX_MS, () => this.#slot?.());
      // Requests the ticket and opens the socket in parallel.
      const [answer, isSocketOpen] = await Promise.all([this.#askTicket(), this.#whenReachable()]);
      signal.throwIfAborted();
      this.#take(answer, isSocketOpen);
    } catch (error) {
      if (!signal.aborted) this.#end({ how: 'unreachable', message: errorMessage(error) });
    }
  }

  pause(): void {
    if (this.#isPaused) return;
    this.#isPaused = true;
    this.#tilePolicy.setAway(true);
    this.#subscription?.pause();
    this.#switcher?.follow(false);
    this.#options.video.pause();
    // A hidden tile gets nothing; direct media reconnects.
    if (this.#directSite !== null) this.#switcher?.close();
  }

  resume(): void {
    if (!this.#isPaused) return;
    this.#isPaused = false;
    if (this.#directSite !== null) return this.#end({ how: 'lost' });
    this.#tilePolicy.setAway(false);
    this.#lastMediaAt = this.#options.clock.wallMs();
    this.#lag.reset();
    this.#switcher?.expectGap();
    this.#switcher?.follow(this.#followsTracks);
    this.#subscription?.resume();
  }

  setAudio(audio: boolean): void {
    const before = this.#audio.formatForMse;
    this.#audio.setWanted(audio);
    this.#subscription?.listen(audio);
    if (before?.codecString !== this.#audio.formatForMse?.codecString) this.#end({ how: 'lost' });
  }

  setTracks(isWanted: boolean): void {
    this.#followsTracks = isWanted;
    if (this.#isFormatKnown) this.#subscription?.follow(isWanted);
    if (!this.#isPaused) this.#switcher?.follow(isWanted);
  }

  setVolume(volume: number): void {
    this.#audio.setVolume(volume);
  }

  setLowLatency(isWanted: boolean): void {
    this.#tilePolicy.setLowLatency(isWanted);
  }

  /** Draws the current frame; false if there is none. */
  paint(canvas: HTMLCanvasElement): boolean {
    return this.#switcher?.paint(canvas) ?? false;
  }

  close(): void {
    if (this.#abort.signal.aborted) return;
    this.#abort.abort(new DOMException('the tile was closed', 'AbortError'));
    this.#slot?.();
    this.#tilePolicy.leave();
    this.#subscription?.close();
    this.#switcher?.close();
    this.#audio.close();
  }

  async #askTicket(): Promise<TicketAnswer> {
    const { source, support, refused, lighterBecause } = this.#options;
    const families = await playableFamilies(support);
    const codecs = families.filter((family) => !refused.has(family));
    return source.getTicket({ codecs, isLighter: lighterBecause !== null, signal: this.#abort.signal });
  }

  /** True once the media socket is open; false if it fails and HTTP is used instead. */
  async #whenReachable(): Promise<boolean> {
    const { connection, policy } = this.#options;
    const { signal } = this.#abort;
    const opened = connection.whenOpen(signal).then(() => {
      policy.isSocketBlocked = false;
      return true;
    });
    // Keeps connecting: a session on HLS switches to the socket when it opens.
    opened.catch(() => undefined);
    if (policy.isSocketBlocked) return connection.state === 'open';
    const { promise: blocked, resolve } = Promise.withResolvers<boolean>();
    const stop = connection.onState(() => {
      if (connection.isBlocked) resolve(false);
    });
    const isOpen = await Promise.race([opened, blocked]).finally(stop);
    if (!isOpen) policy.isSocketBlocked = true;
    return isOpen;
  }

  #take(answer: TicketAnswer, isSocketOpen: boolean): void {
    const { clock, report } = this.#options;
    if (answer.kind === 'unsupported') {
      report({ type: 'undecodable', codec: answer.codec });
      return this.#end({ how: 'refused' });
    }
    if (answer.kind === 'refused') {
      report({ type: 'refused', code: answer.code, reason: answer.reason });
      return this.#end({ how: 'refused' });
    }
    this.#lastMediaAt = clock.wallMs();
    this.#directSite = this.#directSiteOf(answer);
    this.#switcher = this.#openSwitcher(answer);
    this.#switcher.follow(this.#followsTracks && !this.#isPaused);
    if (this.#directSite !== null) this.#showDirect();
    else if (isSocketOpen) this.#subscribe(answer);
    else this.#followPlaylist();
    this.#watch();
  }

  #subscribe({ ticket }: Ticket): void {
    const { connection, audio, report } = this.#options;
    this.#subscription = connection.subscribe({
      ticket,
      audio,
      onNotice: (notice) => this.#notice(notice),
      onMedia: (media) => this.#media(media),
      onLost: () => {
        this.#subscription = null;
        report({ type: 'disconnected' });
        this.#end({ how: 'lost' });
      },
    });
    if (this.#isPaused) this.#subscription.pause();
  }

  /** Null through the local site. */
  #directSiteOf({ whepUrl = null }: Ticket): string | null {
    if (whepUrl === null || !('RTCPeerConnection' in globalThis)) return null;
    const site = siteOfTicket(whepUrl.split('/').at(-1) ?? '') ?? '';
    return this.#tilePolicy.mayGoDirect(site) ? site : null;
  }

  /** The WebRTC description states the format. */
  #showDirect(): void {
    void this.#switcher?.setFormat({ codec: 'h264', codecString: 'avc1.640028', width: 0, height: 0 }, null);
  }

  /** HLS has no format message: the playlist is in the requested format. */
  #followPlaylist(): void {
    const { connection } = this.#options;
    const format = { codec: 'h264', codecString: 'avc1.640028', width: 0, height: 0 } as const;
    void this.#switcher?.setFormat(format, null);
    void connection.whenOpen(this.#abort.signal).then(
      () => this.#end({ how: 'lost' }),
      () => undefined,
    );
  }

  #openSwitcher({ hlsUrl, whepUrl = null }: Ticket): TransportSwitcher {
    const { video, canvas, clock, support, makeTransport, report } = this.#options;
    return new TransportSwitcher({
      video,
      canvas,
      clock,
      support,
      makeTransport,
      hlsUrl,
      whepUrl: this.#directSite === null ? null : whepUrl,
      tilePolicy: this.#tilePolicy,
      restart: () => {
        // Resuming starts at the newest keyframe.
        this.#subscription?.pause();
        if (!this.#isPaused) this.#subscription?.resume();
      },
      onFrame: (frame) => this.#frame(frame),
      onReceived: (bytes) => {
        this.#receivedBytes += bytes;
      },
      onTracks: (tracks) => this.#tracks(tracks),
      onAudioInVideo: (hasAudio) => this.#audio.setInVideo(hasAudio),
      onStalled: () => report({ type: 'waiting', state: 'stalled', reason: null }),
      onEnd: (end) => {
        if (end.how !== 'indirect') return this.#end(end);
        this.#tilePolicy.directFailed(this.#directSite ?? '');
        this.#end({ how: 'lost' });
      },
    });
  }

  #notice(notice: TileNotice): void {
    const { report } = this.#options;
    if (notice.type === 'state') {
      if (notice.state !== 'playing') report({ type: 'waiting', state: notice.state, reason: notice.reason ?? null });
      // The engine reports an offline device; silence then says nothing.
      this.#lastMediaAt = this.#options.clock.wallMs();
    } else if (notice.type === 'format') {
      this.#takeFormat(notice);
    } else if (notice.type === 'skipped') {
      this.#skipped += notice.frames;
    } else if (notice.type === 'tracks') {
      if (this.#switcher?.hasOwnTracks === false) this.#tracks({ at: notice.at, tracks: notice.tracks });
    } else {
      this.#subscription = null;
      report({ type: 'refused', code: notice.code, reason: notice.reason ?? null });
      this.#end({ how: 'refused' });
    }
  }

  #tracks(tracks: LiveTracks | null): void {
    if (this.#followsTracks && !this.#abort.signal.aborted) this.#options.onTracks(tracks);
  }

  #takeFormat({ video, audio }: Extract<TileNotice, { type: 'format' }>): void {
    this.#audio.setFormat(audio);
    if (!this.#isFormatKnown && this.#followsTracks) this.#subscription?.follow(true);
    this.#isFormatKnown = true;
    if (!video) return;
    if (this.#options.refused.has(video.codec)) {
      return this.#end({ how: 'format', codec: video.codecString });
    }
    void this.#switcher?.setFormat(video, this.#audio.formatForMse);
  }

  #media(media: LiveMedia): void {
    this.#receivedBytes += media.payload.byteLength;
    this.#lastMediaAt = this.#options.clock.wallMs();
    if (media.kind.startsWith('audio')) this.#audio.push(media);
    this.#switcher?.push(media);
    if (media.kind === 'videoFragment' || media.kind === 'jpeg') this.#watchLine(media.wallMs);
  }

  /** What waits in the socket would keep the smaller stream from coming: a new one begins without it. */
  #watchLine(takenMs: number): void {
    const { clock, connection, lighterBecause } = this.#options;
    if (!this.#lag.add(takenMs, clock.monotonicMs()) || lighterBecause !== null) return;
    this.#end({ how: 'slow' });
    connection.restart();
  }

  #frame(frame: ShownFrame): void {
    if (this.#isPaused || this.#abort.signal.aborted) return;
    const { clock, connection, report, onFrame, lighterBecause } = this.#options;
    const choice = this.#switcher?.choice;
    if (!this.#switcher || !choice) return;
    this.#slot?.();
    // HLS has no messages: its frames show that it works.
    if (!this.#subscription) this.#lastMediaAt = clock.wallMs();
    const takenMs = captureTimeOf(frame);
    if (takenMs !== null) this.#audio.frameShown(takenMs, frame.shownAtMs);
    const latencyMs = latencyOf(frame, connection.clockOffsetMs);
    // Updated at the interval of the latency: not with every frame.
    if (latencyMs !== null && this.#latency.add(latencyMs, clock.wallMs()))
      this.#counted = { dropped: this.#switcher.droppedFrames + this.#skipped, late: this.#latency.late };
    onFrame(frame);
    report({
      type: 'picture',
      picture: {
        transport: choice.kind,
        because: choice.because,
        lighterBecause,
        codec: this.#switcher.codec,
        width: frame.width,
        height: frame.height,
        latencyMs: this.#latency.value,
        ...this.#counted,
      },
    });
  }

  #watch(): void {
    this.#options.clock.after(WATCH_EVERY_MS, () => {
      if (this.#abort.signal.aborted) return;
      const silentMs = this.#isPaused ? 0 : this.#options.clock.wallMs() - this.#lastMediaAt;
      if (silentMs > GIVE_UP_AFTER_MS) return this.#end({ how: 'silent' });
      if (silentMs > SILENT_AFTER_MS) this.#options.report({ type: 'silence' });
      this.#watch();
    });
  }

  #end(end: SessionEnd): void {
    if (this.#abort.signal.aborted) return;
    const { onEnd } = this.#options;
    onEnd(end);
    this.close();
  }
}
