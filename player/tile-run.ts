// One attempt of a live tile: ticket, subscription, transport, frames. It reports and ends; its owner decides what follows.
import type { LiveAudioFormat, LiveVideoFormat } from '@vedette/contract/media-wire.ts';
import type { CodecSupport } from './codec-support.ts';
import { JpegTransport } from './jpeg-transport.ts';
import { LatencyMeter } from './latency-meter.ts';
import type { LiveConnection, LiveSubscription, TileNotice } from './live-connection.ts';
import type { LiveMedia } from './live-message.ts';
import { MseTransport } from './mse-transport.ts';
import type { OpeningQueue, OpeningSlot } from './opening-queue.ts';
import type { PlayerClock } from './player-clock.ts';
import type { TicketAnswer, TileSource } from './tile-source.ts';
import type { TileEvent } from './tile-state.ts';
import type { LiveTransport, ShownFrame, TransportFault, TransportOptions } from './transport.ts';

/** How an attempt ended: by the socket, by a code, by the decoder, by the format, by silence. */
export type RunEnd =
  | { readonly how: 'lost' | 'refused' | 'silent' }
  | { readonly how: 'fault' | 'unreachable'; readonly message: string }
  | { readonly how: 'format'; readonly codec: string };

export interface TileRunOptions {
  readonly connection: LiveConnection;
  readonly opening: OpeningQueue;
  readonly clock: PlayerClock;
  readonly support: CodecSupport;
  readonly video: HTMLVideoElement;
  readonly canvas: HTMLCanvasElement;
  readonly source: TileSource;
  readonly audio: boolean;
  readonly isLighter: boolean;
  /** Codecs that failed in this tile before. */
  readonly refusedCodecs: ReadonlySet<string>;
  readonly makeTransport?: (kind: LiveTransport['kind'], options: TransportOptions) => LiveTransport;
  readonly report: (event: TileEvent) => void;
  readonly onFrame: (frame: ShownFrame) => void;
  readonly onEnd: (end: RunEnd) => void;
}

const SILENT_AFTER_MS = 4000;
const GIVE_UP_AFTER_MS = 20_000;
const SLOT_MAX_MS = 3000;
const WATCH_EVERY_MS = 1000;
/** A second decoder fault within this span is not met by another restart. */
const FAULT_FORGIVEN_MS = 30_000;

export class TileRun {
  readonly #options: TileRunOptions;
  readonly #abort = new AbortController();
  readonly #latency = new LatencyMeter();
  #slot: OpeningSlot | null = null;
  #subscription: LiveSubscription | null = null;
  #transport: LiveTransport | null = null;
  #format: { video: LiveVideoFormat; audio: LiveAudioFormat | null } | null = null;
  #lastInit: { video: LiveMedia | null; audio: LiveMedia | null } = { video: null, audio: null };
  #isPaused = false;
  #lastMediaAt = 0;
  #faultAt = Number.NEGATIVE_INFINITY;

  constructor(options: TileRunOptions) {
    this.#options = options;
  }

  async start(): Promise<void> {
    const { connection, opening, clock } = this.#options;
    const { signal } = this.#abort;
    try {
      this.#slot = await opening.enter(signal);
      clock.after(SLOT_MAX_MS, () => this.#slot?.done());
      // The ticket's call and the socket's opening take their time together.
      const [answer] = await Promise.all([this.#askTicket(), connection.whenOpen(signal)]);
      signal.throwIfAborted();
      this.#take(answer);
    } catch (error) {
      if (signal.aborted) return;
      this.#end({ how: 'unreachable', message: error instanceof Error ? error.message : String(error) });
    }
  }

  pause(): void {
    if (this.#isPaused) return;
    this.#isPaused = true;
    this.#subscription?.pause();
    this.#options.video.pause();
  }

  resume(): void {
    if (!this.#isPaused) return;
    this.#isPaused = false;
    this.#lastMediaAt = this.#options.clock.now();
    this.#transport?.expectGap();
    this.#subscription?.resume();
  }

  close(): void {
    if (this.#abort.signal.aborted) return;
    this.#abort.abort(new DOMException('the tile was closed', 'AbortError'));
    this.#slot?.done();
    this.#subscription?.close();
    this.#transport?.close();
  }

  #askTicket(): Promise<TicketAnswer> {
    const { source, support, refusedCodecs, isLighter } = this.#options;
    return source.getTicket({
      canPlay: (codec) => !refusedCodecs.has(codec) && support.canPlay(codec),
      isLighter,
      signal: this.#abort.signal,
    });
  }

  #take(answer: TicketAnswer): void {
    const { connection, clock, report, audio } = this.#options;
    if (answer.kind === 'unsupported') {
      report({ type: 'undecodable', codec: answer.codec });
      return this.#end({ how: 'refused' });
    }
    if (answer.kind === 'refused') {
      report({ type: 'refused', code: answer.code, reason: answer.reason });
      return this.#end({ how: 'refused' });
    }
    this.#lastMediaAt = clock.now();
    this.#subscription = connection.subscribe({
      ticket: answer.ticket,
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
    this.#watch();
  }

  #notice(notice: TileNotice): void {
    const { report } = this.#options;
    if (notice.type === 'state') {
      if (notice.state !== 'playing') report({ type: 'waiting', state: notice.state, reason: notice.reason ?? null });
      // The engine answers for a device that is away; silence is then no news.
      this.#lastMediaAt = this.#options.clock.now();
    } else if (notice.type === 'format') {
      this.#takeFormat(notice.video, notice.audio);
    } else if (notice.type === 'end') {
      this.#subscription = null;
      report({ type: 'refused', code: notice.code, reason: notice.reason ?? null });
      this.#end({ how: 'refused' });
    }
  }

  #takeFormat(video: LiveVideoFormat | null, audio: LiveAudioFormat | null): void {
    if (!video) return;
    const { support, refusedCodecs } = this.#options;
    if (refusedCodecs.has(video.codecString) || !support.canPlay(video.codecString)) {
      return this.#end({ how: 'format', codec: video.codecString });
    }
    const sound = this.#options.audio && audio && support.canPlay(audio.codecString) ? audio : null;
    const before = this.#format;
    this.#format = { video, audio: sound };
    const isSame = before?.video.codecString === video.codecString && before.audio?.codecString === sound?.codecString;
    if (!this.#transport || !isSame) this.#openTransport('mse');
  }

  #openTransport(kind: LiveTransport['kind']): void {
    const { video, canvas, clock, makeTransport = newTransport } = this.#options;
    this.#transport?.close();
    this.#transport = makeTransport(kind, {
      video,
      canvas,
      videoFormat: this.#format?.video ?? { codec: 'h264', codecString: 'jpeg', width: 0, height: 0 },
      audioFormat: this.#format?.audio ?? null,
      now: () => clock.now(),
      onFrame: (frame) => this.#frame(frame),
      onFault: (fault) => this.#fault(fault),
    });
  }

  #media(media: LiveMedia): void {
    this.#lastMediaAt = this.#options.clock.now();
    if (media.kind === 'videoInit') this.#lastInit = { ...this.#lastInit, video: media };
    if (media.kind === 'audioInit') this.#lastInit = { ...this.#lastInit, audio: media };
    if (media.kind === 'jpeg' && this.#transport?.kind !== 'jpeg') this.#openTransport('jpeg');
    this.#transport?.push(media);
  }

  #frame(frame: ShownFrame): void {
    if (this.#isPaused || this.#abort.signal.aborted) return;
    const { clock, connection, report, onFrame } = this.#options;
    this.#slot?.done();
    const offset = connection.clockOffsetMs;
    if (frame.wallMs !== null && offset !== null) {
      this.#latency.add(frame.shownAtMs + offset - frame.wallMs, clock.now());
    }
    onFrame(frame);
    report({
      type: 'picture',
      picture: {
        transport: this.#transport?.kind ?? 'mse',
        codec: this.#format?.video.codecString ?? 'jpeg',
        width: frame.width,
        height: frame.height,
        latencyMs: this.#latency.value,
      },
    });
  }

  #fault(fault: TransportFault): void {
    if (fault.kind === 'format') return this.#end({ how: 'format', codec: fault.codec });
    const now = this.#options.clock.now();
    const isSecond = now - this.#faultAt < FAULT_FORGIVEN_MS;
    this.#faultAt = now;
    if (isSecond || !this.#transport) return this.#end({ how: 'fault', message: fault.message });
    this.#options.report({ type: 'waiting', state: 'stalled', reason: null });
    this.#openTransport(this.#transport.kind);
    for (const init of [this.#lastInit.video, this.#lastInit.audio]) if (init) this.#transport?.push(init);
    // Resuming starts at the newest key frame.
    this.#subscription?.pause();
    if (!this.#isPaused) this.#subscription?.resume();
  }

  #watch(): void {
    this.#options.clock.after(WATCH_EVERY_MS, () => {
      if (this.#abort.signal.aborted) return;
      const silentMs = this.#isPaused ? 0 : this.#options.clock.now() - this.#lastMediaAt;
      if (silentMs > GIVE_UP_AFTER_MS) return this.#end({ how: 'silent' });
      if (silentMs > SILENT_AFTER_MS) this.#options.report({ type: 'silence' });
      this.#watch();
    });
  }

  #end(end: RunEnd): void {
    if (this.#abort.signal.aborted) return;
    const { onEnd } = this.#options;
    onEnd(end);
    this.close();
  }
}

function newTransport(kind: LiveTransport['kind'], options: TransportOptions): LiveTransport {
  return kind === 'mse' ? new MseTransport(options) : new JpegTransport(options);
}
