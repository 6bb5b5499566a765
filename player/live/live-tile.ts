// Drives one live tile: options in, one state union out. Owns retries, the last frame, and visibility.
import { backoffDelayMs } from '@vedette/foundation/backoff/backoff.ts';
import type { LiveTracks } from '@vedette/contract/media-wire.ts';
import type { Semaphore } from '@vedette/foundation/concurrency/semaphore.ts';
import { browserDecoderSupport, type DecoderSupport, familyOf, type VideoFamily } from '../decode/decoder-support.ts';
import { clearLastFrame, lastFrameBlob } from '../core/last-frame.ts';
import type { LiveConnection } from '../transports/live-connection.ts';
import type { PlayerClock } from '../core/player-clock.ts';
import { BrowserAudioOutput, type AudioOutput } from '../audio/audio-output.ts';
import type { AudioState } from '../audio/audio-player.ts';
import type { SessionEnd } from './tile-session-options.ts';
import { TileSession } from './tile-session.ts';
import type { TileSource } from './tile-source.ts';
import {
  isFinal,
  type LighterReason,
  mayShowLastFrame,
  nextTileState,
  type TileEvent,
  type TileState,
} from './tile-state.ts';
import type { MakeTransport, ShownFrame } from '../transports/transport.ts';
import { TransportPolicy } from '../transports/transport-policy.ts';

export interface LiveTileOptions {
  readonly connection: LiveConnection;
  readonly opening: Semaphore;
  readonly clock: PlayerClock;
  /** Shared by all tiles of a page, like the policy: they count decoding tiles together. */
  readonly support?: DecoderSupport;
  readonly policy?: TransportPolicy;
  readonly audioOutput?: AudioOutput;
  readonly makeTransport: MakeTransport;
}

export interface OpenOptions {
  readonly audio?: boolean;
  /** Keeps the current frame until the new stream shows one: same channel, other quality. */
  readonly keepLastFrame?: boolean;
}

/** Both are kept while attached and reused between streams. */
export interface TileElements {
  readonly video: HTMLVideoElement;
  /** Shows the last frame, and JPEG frames. */
  readonly canvas: HTMLCanvasElement;
}

const RETRY = { firstMs: 1000, maxMs: 15_000, jitter: 0.5 };
const HEALTHY_AFTER_MS = 10_000;
/** Reason of an offline tile whose stream no transport of this browser can show. */
export const UNDECODABLE = 'undecodable';

export class LiveTile {
  readonly #options: LiveTileOptions;
  readonly #support: DecoderSupport;
  readonly #policy: TransportPolicy;
  readonly #audioOutput: AudioOutput;
  readonly #listeners = new Set<() => void>();
  readonly #frameListeners = new Set<(frame: ShownFrame) => void>();
  readonly #trackListeners = new Set<(tracks: LiveTracks | null) => void>();
  #elements: TileElements | null = null;
  #state: TileState = { kind: 'idle' };
  #lastFrameAt: number | null = null;
  #source: TileSource | null = null;
  #session: TileSession | null = null;
  #cancelRetry: (() => void) | null = null;
  #attempt = 0;
  #lastFrameMs: number | null = null;
  #firstFrameAt: number | null = null;
  #isVisible = true;
  #audio = false;
  #volume = 1;
  #audioState: AudioState = { kind: 'off' };
  #wantsLatency = false;
  #lighterBecause: LighterReason | null = null;
  #refused = new Set<VideoFamily>();

  constructor(options: LiveTileOptions) {
    this.#options = options;
    this.#support = options.support ?? browserDecoderSupport();
    this.#policy = options.policy ?? new TransportPolicy({ clock: options.clock, store: null });
    this.#audioOutput = options.audioOutput ?? new BrowserAudioOutput();
  }

  get state(): TileState {
    return this.#state;
  }

  /** Audio state: playing, or why not. */
  get audioState(): AudioState {
    return this.#audioState;
  }

  /** Capture time of the last frame on the canvas, ms; null if none. */
  get lastFrameAt(): number | null {
    return this.#lastFrameAt;
  }

  /** Bytes received by the current attempt, without HLS; reset with every attempt. */
  get receivedBytes(): number {
    return this.#session?.receivedBytes ?? 0;
  }

  /** Attaches the tile to the page; a stream opened before starts now. */
  attach(elements: TileElements): void {
    this.#elements = elements;
    elements.video.muted = !this.#audio;
    if (this.#source && !this.#session) this.#begin();
  }

  /** Closes the stream and releases the elements. */
  detach(): void {
    this.close();
    this.#elements = null;
  }

  /** Called for every change of `state`, `sound` or `stillAt`. */
  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Called for every displayed frame, with its capture time. */
  onFrame(listener: (frame: ShownFrame) => void): () => void {
    this.#frameListeners.add(listener);
    return () => this.#frameListeners.delete(listener);
  }

  /**
   * What edge intelligence follows on the channel, some hundred milliseconds after its frame. Asked for while somebody
   * listens. Its times are those of `tracksTimeOf` of the tile's frames; null: later ones are by another clock.
   */
  onTracks(listener: (tracks: LiveTracks | null) => void): () => void {
    this.#trackListeners.add(listener);
    this.#session?.setTracks(true);
    return () => {
      this.#trackListeners.delete(listener);
      if (this.#trackListeners.size === 0) this.#session?.setTracks(false);
    };
  }

  /** Shows another stream. */
  open(source: TileSource, options: OpenOptions = {}): void {
    this.#leave(options.keepLastFrame ?? false);
    this.#source = source;
    this.#audio = options.audio ?? false;
    this.#attempt = 0;
    this.#lighterBecause = null;
    this.#refused = new Set();
    this.#apply({ type: 'opened' });
    this.#begin();
  }

  close(): void {
    this.#leave(false);
    this.#source = null;
    this.#apply({ type: 'closed' });
  }

  /** A hidden tile gets no media; it resumes at the newest keyframe. */
  setVisible(isVisible: boolean): void {
    if (isVisible === this.#isVisible) return;
    this.#isVisible = isVisible;
    if (this.#state.kind === 'idle') return;
    if (isVisible) {
      this.#apply({ type: 'shown' });
      if (this.#session) this.#session.resume();
      else if (!isFinal(this.#state)) this.#begin();
      return;
    }
    this.#keepLastFrame();
    this.#apply({ type: 'hidden' });
    this.#session?.pause();
    this.#cancelRetry?.();
    this.#cancelRetry = null;
  }

  /** Audio is requested only while listening; video is not affected. */
  setAudio(audio: boolean): void {
    if (this.#elements) this.#elements.video.muted = !audio;
    if (audio === this.#audio) return;
    this.#audio = audio;
    this.#session?.setAudio(audio);
  }

  /** 0 to 1. */
  setVolume(volume: number): void {
    this.#volume = volume;
    if (this.#elements) this.#elements.video.volume = volume;
    this.#session?.setVolume(volume);
  }

  /** True during PTZ control or talk: the policy then prefers low latency, and switches without a break. */
  setLowLatency(isWanted: boolean): void {
    this.#wantsLatency = isWanted;
    this.#session?.setLowLatency(isWanted);
  }

  /** The current frame in its own size; null if none was shown. */
  async lastFrame(): Promise<Blob | null> {
    if (!this.#elements) return null;
    const { canvas } = this.#elements;
    if (this.#state.kind === 'live') this.#session?.paint(canvas);
    return lastFrameBlob(canvas);
  }

  /** Retries at once, from any state. */
  retry(): void {
    if (this.#source) this.open(this.#source, { audio: this.#audio, keepLastFrame: mayShowLastFrame(this.#state) });
  }

  #begin(): void {
    const [source, elements] = [this.#source, this.#elements];
    if (!source || !elements || !this.#isVisible) return;
    this.#cancelRetry?.();
    this.#cancelRetry = null;
    this.#firstFrameAt = null;
    this.#tellTracks(null);
    const { connection, opening, clock } = this.#options;
    const run: TileSession = new TileSession({
      connection,
      opening,
      clock,
      ...elements,
      source,
      support: this.#support,
      policy: this.#policy,
      audioOutput: this.#audioOutput,
      audio: this.#audio,
      volume: this.#volume,
      wantsLatency: this.#wantsLatency,
      lighterBecause: this.#lighterBecause,
      refused: this.#refused,
      makeTransport: this.#options.makeTransport,
      onAudioState: (sound) => this.#publishAudioState(sound),
      report: (event) => this.#session === run && this.#apply(event),
      onFrame: (frame) => this.#frame(frame),
      followsTracks: this.#trackListeners.size > 0,
      onTracks: (tracks) => this.#tellTracks(tracks),
      onEnd: (end) => this.#session === run && this.#ended(end),
    });
    this.#session = run;
    void run.start();
  }

  #tellTracks(tracks: LiveTracks | null): void {
    for (const listener of this.#trackListeners) listener(tracks);
  }

  #frame(frame: ShownFrame): void {
    const now = this.#options.clock.wallMs();
    this.#lastFrameMs = frame.wallMs ?? now;
    this.#firstFrameAt ??= now;
    if (now - this.#firstFrameAt > HEALTHY_AFTER_MS) this.#attempt = 0;
    for (const listener of this.#frameListeners) listener(frame);
  }

  #ended(end: SessionEnd): void {
    if (mayShowLastFrame(this.#state)) this.#keepLastFrame();
    this.#session = null;
    this.#applyEnd(end);
    if (isFinal(this.#state)) return;
    const { clock } = this.#options;
    const attempt = this.#attempt++;
    const delay = isRetriedAtOnce(end, attempt) ? 0 : backoffDelayMs(attempt, clock.random(), RETRY);
    this.#cancelRetry = clock.after(delay, () => this.#begin());
  }

  #applyEnd(end: SessionEnd): void {
    if (end.how === 'format') this.#refused.add(familyOf(end.codec));
    if (end.how === 'format' && this.#attempt > 2) this.#apply({ type: 'undecodable', codec: end.codec });
    if (end.how === 'fault') this.#failed();
    if (end.how === 'silent') this.#apply({ type: 'silence' });
    if (end.how === 'slow') this.#lighterBecause = 'slowLine';
    if (end.how === 'slow' || end.how === 'unreachable') this.#apply({ type: 'disconnected' });
  }

  /** No transport shows the stream: reports it, and a smaller stream is tried. */
  #failed(): void {
    if (this.#lighterBecause !== null) this.#apply({ type: 'waiting', state: 'stalled', reason: UNDECODABLE });
    this.#lighterBecause ??= 'undecodable';
  }

  #leave(keepStill: boolean): void {
    this.#cancelRetry?.();
    this.#cancelRetry = null;
    if (keepStill) this.#keepLastFrame();
    const run = this.#session;
    this.#session = null;
    run?.close();
    this.#publishAudioState({ kind: 'off' });
    if (keepStill) return;
    this.#dropLastFrame();
  }

  #keepLastFrame(): void {
    if (this.#elements && this.#session?.paint(this.#elements.canvas)) this.#lastFrameAt = this.#lastFrameMs;
  }

  #dropLastFrame(): void {
    if (this.#elements) clearLastFrame(this.#elements.canvas);
    this.#lastFrameAt = null;
    this.#lastFrameMs = null;
  }

  #publishAudioState(sound: AudioState): void {
    if (sound.kind === this.#audioState.kind) return;
    this.#audioState = sound;
    this.#tell();
  }

  #tell(): void {
    for (const listener of this.#listeners) listener();
  }

  #apply(event: TileEvent): void {
    const before = this.#state;
    const next = nextTileState(before, event, this.#options.clock.wallMs());
    if (next === before) return;
    if (before.kind === 'live' && next.kind !== 'live') this.#keepLastFrame();
    this.#state = next;
    if (!mayShowLastFrame(next)) this.#dropLastFrame();
    this.#tell();
  }
}

/** After a lost socket the connection waits itself; for another format or a smaller stream there is no reason to wait. */
function isRetriedAtOnce({ how }: SessionEnd, attempt: number): boolean {
  return (how === 'lost' || how === 'format' || how === 'slow') && attempt < 3;
}
