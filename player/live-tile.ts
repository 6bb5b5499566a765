// Drives one live tile: options in, one state union out. It owns retrying, the last frame, and what is visible.
import { backoffDelayMs } from '@vedette/foundation/backoff/backoff.ts';
import type { Semaphore } from '@vedette/foundation/concurrency/semaphore.ts';
import { browserDecoderSupport, type DecoderSupport, familyOf, type VideoFamily } from './decoder-support.ts';
import { clearStill, stillBlob } from './last-still.ts';
import type { LiveConnection } from './live-connection.ts';
import { makeTransport } from './make-transport.ts';
import type { PlayerClock } from './player-clock.ts';
import { BrowserSoundOutput, type SoundOutput } from './sound-output.ts';
import type { SoundState } from './sound-player.ts';
import { type RunEnd, TileRun } from './tile-run.ts';
import type { TileSource } from './tile-source.ts';
import { isFinal, mayShowStill, nextTileState, type TileEvent, type TileState } from './tile-state.ts';
import type { MakeTransport, ShownFrame } from './transport.ts';
import { TransportPolicy } from './transport-policy.ts';

export interface LiveTileOptions {
  readonly connection: LiveConnection;
  readonly opening: Semaphore;
  readonly clock: PlayerClock;
  /** Shared by all tiles of a page, as is the policy: together they know how many decode. */
  readonly support?: DecoderSupport;
  readonly policy?: TransportPolicy;
  readonly soundOutput?: SoundOutput;
  readonly makeTransport?: MakeTransport;
}

export interface OpenOptions {
  readonly audio?: boolean;
  /** Leaves the present picture until the new one comes: same channel, other quality. */
  readonly keepStill?: boolean;
}

/** Both are kept while attached and reused from stream to stream. */
export interface TileElements {
  readonly video: HTMLVideoElement;
  /** Painted with the last still, and with JPEG pictures. */
  readonly canvas: HTMLCanvasElement;
}

const RETRY = { firstMs: 1000, maxMs: 15_000, jitter: 0.5 };
const HEALTHY_AFTER_MS = 10_000;
/** The reason of an offline tile whose bytes come, and are shown by no way that the browser has. */
export const UNDECODABLE = 'undecodable';

export class LiveTile {
  readonly #options: LiveTileOptions;
  readonly #support: DecoderSupport;
  readonly #policy: TransportPolicy;
  readonly #soundOutput: SoundOutput;
  readonly #listeners = new Set<() => void>();
  readonly #frameListeners = new Set<(frame: ShownFrame) => void>();
  #elements: TileElements | null = null;
  #state: TileState = { kind: 'idle' };
  #stillAt: number | null = null;
  #source: TileSource | null = null;
  #run: TileRun | null = null;
  #cancelRetry: (() => void) | null = null;
  #attempt = 0;
  #lastFrameMs: number | null = null;
  #firstFrameAt: number | null = null;
  #isVisible = true;
  #audio = false;
  #volume = 1;
  #sound: SoundState = { kind: 'off' };
  #wantsLatency = false;
  #isLighter = false;
  #refused = new Set<VideoFamily>();

  constructor(options: LiveTileOptions) {
    this.#options = options;
    this.#support = options.support ?? browserDecoderSupport();
    this.#policy = options.policy ?? new TransportPolicy({ clock: options.clock, store: null });
    this.#soundOutput = options.soundOutput ?? new BrowserSoundOutput();
  }

  get state(): TileState {
    return this.#state;
  }

  /** What is heard, or why nothing is. */
  get sound(): SoundState {
    return this.#sound;
  }

  /** Capture instant of the still on the canvas, ms; null when there is none. */
  get stillAt(): number | null {
    return this.#stillAt;
  }

  /** Bytes that the present attempt got, those of HLS left out; begins again with every attempt. */
  get receivedBytes(): number {
    return this.#run?.receivedBytes ?? 0;
  }

  /** Gives the tile its place on the page; a stream that was opened before starts now. */
  attach(elements: TileElements): void {
    this.#elements = elements;
    elements.video.muted = !this.#audio;
    if (this.#source && !this.#run) this.#begin();
  }

  /** Closes the stream and lets go of the elements. */
  detach(): void {
    this.close();
    this.#elements = null;
  }

  /** Told of every change of `state`, `sound` or `stillAt`. */
  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Told of every frame on screen, with its capture instant. */
  onFrame(listener: (frame: ShownFrame) => void): () => void {
    this.#frameListeners.add(listener);
    return () => this.#frameListeners.delete(listener);
  }

  /** Shows another stream. */
  open(source: TileSource, options: OpenOptions = {}): void {
    this.#leave(options.keepStill ?? false);
    this.#source = source;
    this.#audio = options.audio ?? false;
    this.#attempt = 0;
    this.#isLighter = false;
    this.#refused = new Set();
    this.#apply({ type: 'opened' });
    this.#begin();
  }

  close(): void {
    this.#leave(false);
    this.#source = null;
    this.#apply({ type: 'closed' });
  }

  /** A hidden tile gets no media; it starts again at the newest key frame. */
  setVisible(isVisible: boolean): void {
    if (isVisible === this.#isVisible) return;
    this.#isVisible = isVisible;
    if (this.#state.kind === 'idle') return;
    if (isVisible) {
      this.#apply({ type: 'shown' });
      if (this.#run) this.#run.resume();
      else if (!isFinal(this.#state)) this.#begin();
      return;
    }
    this.#keepStill();
    this.#apply({ type: 'hidden' });
    this.#run?.pause();
    this.#cancelRetry?.();
    this.#cancelRetry = null;
  }

  /** Sound is asked for and sent only while somebody listens; the picture is not touched by it. */
  setAudio(audio: boolean): void {
    if (this.#elements) this.#elements.video.muted = !audio;
    if (audio === this.#audio) return;
    this.#audio = audio;
    this.#run?.setAudio(audio);
  }

  /** 0 to 1. */
  setVolume(volume: number): void {
    this.#volume = volume;
    if (this.#elements) this.#elements.video.volume = volume;
    this.#run?.setVolume(volume);
  }

  /** True while somebody steers the camera or talks through it; the picture changes its way without a break. */
  setLatencyWanted(isWanted: boolean): void {
    this.#wantsLatency = isWanted;
    this.#run?.setLatencyWanted(isWanted);
  }

  /** The picture as it stands, in its own size; null when nothing was shown yet. */
  async still(): Promise<Blob | null> {
    if (!this.#elements) return null;
    const { canvas } = this.#elements;
    if (this.#state.kind === 'live') this.#run?.paint(canvas);
    return stillBlob(canvas);
  }

  /** Tries again at once, from any state. */
  retry(): void {
    if (this.#source) this.open(this.#source, { audio: this.#audio, keepStill: mayShowStill(this.#state) });
  }

  #begin(): void {
    const [source, elements] = [this.#source, this.#elements];
    if (!source || !elements || !this.#isVisible) return;
    this.#cancelRetry?.();
    this.#cancelRetry = null;
    this.#firstFrameAt = null;
    const { connection, opening, clock } = this.#options;
    const run: TileRun = new TileRun({
      connection,
      opening,
      clock,
      ...elements,
      source,
      support: this.#support,
      policy: this.#policy,
      soundOutput: this.#soundOutput,
      audio: this.#audio,
      volume: this.#volume,
      wantsLatency: this.#wantsLatency,
      isLighter: this.#isLighter,
      refused: this.#refused,
      makeTransport: this.#options.makeTransport ?? makeTransport,
      onSound: (sound) => this.#tellSound(sound),
      report: (event) => this.#run === run && this.#apply(event),
      onFrame: (frame) => this.#frame(frame),
      onEnd: (end) => this.#run === run && this.#ended(end),
    });
    this.#run = run;
    void run.start();
  }

  #frame(frame: ShownFrame): void {
    const now = this.#options.clock.wallMs();
    this.#lastFrameMs = frame.wallMs ?? now;
    this.#firstFrameAt ??= now;
    if (now - this.#firstFrameAt > HEALTHY_AFTER_MS) this.#attempt = 0;
    for (const listener of this.#frameListeners) listener(frame);
  }

  #ended(end: RunEnd): void {
    if (mayShowStill(this.#state)) this.#keepStill();
    this.#run = null;
    if (end.how === 'format') this.#refused.add(familyOf(end.codec));
    if (end.how === 'format' && this.#attempt > 2) this.#apply({ type: 'undecodable', codec: end.codec });
    if (end.how === 'fault') this.#failed();
    if (end.how === 'silent') this.#apply({ type: 'silence' });
    if (end.how === 'unreachable') this.#apply({ type: 'disconnected' });
    if (isFinal(this.#state)) return;
    const { clock } = this.#options;
    const attempt = this.#attempt++;
    // After a lost socket the connection does the waiting, after a format there is nothing to wait for.
    const atOnce = (end.how === 'lost' || end.how === 'format') && attempt < 3;
    const delay = atOnce ? 0 : backoffDelayMs(attempt, clock.random(), RETRY);
    this.#cancelRetry = clock.after(delay, () => this.#begin());
  }

  /** No way of this browser shows the stream: a lighter one may do, and who looks at the tile must know. */
  #failed(): void {
    if (this.#isLighter) this.#apply({ type: 'waiting', state: 'stalled', reason: UNDECODABLE });
    this.#isLighter = true;
  }

  #leave(keepStill: boolean): void {
    this.#cancelRetry?.();
    this.#cancelRetry = null;
    if (keepStill) this.#keepStill();
    const run = this.#run;
    this.#run = null;
    run?.close();
    this.#tellSound({ kind: 'off' });
    if (keepStill) return;
    this.#dropStill();
  }

  #keepStill(): void {
    if (this.#elements && this.#run?.paint(this.#elements.canvas)) this.#stillAt = this.#lastFrameMs;
  }

  #dropStill(): void {
    if (this.#elements) clearStill(this.#elements.canvas);
    this.#stillAt = null;
    this.#lastFrameMs = null;
  }

  #tellSound(sound: SoundState): void {
    if (sound.kind === this.#sound.kind) return;
    this.#sound = sound;
    this.#tell();
  }

  #tell(): void {
    for (const listener of this.#listeners) listener();
  }

  #apply(event: TileEvent): void {
    const before = this.#state;
    const next = nextTileState(before, event, this.#options.clock.wallMs());
    if (next === before) return;
    if (before.kind === 'live' && next.kind !== 'live') this.#keepStill();
    this.#state = next;
    if (!mayShowStill(next)) this.#dropStill();
    this.#tell();
  }
}
