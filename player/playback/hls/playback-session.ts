// Plays one channel's recordings from any instant on: windows of at most 600 s chained without a seam (ST-07, LM-07).
import { errorMessage } from '@vedette/foundation/errors/error-message.ts';
import { PLAYBACK_WINDOW_S } from '@vedette/contract/limits.ts';
import { FramePace } from '../../core/frame-pace.ts';
import { clearLastFrame, paintLastFrame } from '../../core/last-frame.ts';
import { REFUSAL_CODES } from '../../core/refusal-codes.ts';
import { mediaAt, type TimelinePart, wallAt } from './media-timeline.ts';
import type { EngineFault, OpenEngine, PlaybackEngine } from './playback-engine.ts';
import type { PlaybackSource } from './playback-source.ts';
import type { PlaybackJump, PlaybackState } from './playback-state.ts';
import type { PlayerClock } from '../../core/player-clock.ts';
import { WindowChain } from './window-chain.ts';

export interface PlaybackSessionOptions {
  readonly video: HTMLVideoElement;
  /** Keeps the last picture while another instant is fetched. */
  readonly canvas: HTMLCanvasElement;
  readonly source: PlaybackSource;
  readonly clock: PlayerClock;
  readonly openEngine: OpenEngine;
}

const WATCH_EVERY_MS = 500;
/** The following window is asked for this long before the end of the present one, in media seconds at speed 1. */
const AHEAD_S = 60;
const REOPEN_MAX = 3;
const REOPEN_FORGIVEN_MS = 20_000;

export class PlaybackSession {
  readonly #options: PlaybackSessionOptions;
  readonly #chain: WindowChain;
  readonly #listeners = new Set<() => void>();
  readonly #life = new AbortController();
  #opening: AbortController | null = null;
  #engine: PlaybackEngine | null = null;
  #parts: readonly TimelinePart[] = [];
  #state: PlaybackState = { kind: 'idle' };
  #jump: PlaybackJump | null = null;
  #rate = 1;
  #wantsPlay = true;
  #target: number | null = null;
  #position: number | null = null;
  readonly #pace = new FramePace();
  /** Media time of the frame on screen: a slow decoder lags behind the element's own time. */
  #frameTime: number | null = null;
  #reopens: number[] = [];

  constructor(options: PlaybackSessionOptions) {
    this.#options = options;
    this.#chain = new WindowChain({ source: options.source, clock: options.clock, windowMs: PLAYBACK_WINDOW_S * 1000 });
    const { video } = options;
    const { signal } = this.#life;
    for (const name of ['playing', 'pause', 'waiting', 'seeked', 'ended', 'timeupdate']) {
      video.addEventListener(name, () => this.#refresh(), { signal });
    }
    this.#watchFrames();
    this.#watch();
  }

  get state(): PlaybackState {
    return this.#state;
  }

  /** Wall clock of the picture on screen, or of the one that is being fetched, ms; null before the first. */
  get position(): number | null {
    const mediaTime = this.#frameTime ?? this.#options.video.currentTime;
    return this.#target ?? wallAt(this.#parts, mediaTime) ?? this.#position;
  }

  /** The gap that was left out last; cleared by the next seek. */
  get jump(): PlaybackJump | null {
    return this.#jump;
  }

  /** What plays was recorded with audio that the server cannot make playable. */
  get isAudioLeftOut(): boolean {
    return this.#chain.isAudioLeftOut;
  }

  get rate(): number {
    return this.#rate;
  }

  /** Told of every change of `state` and `jump`; the position is read when drawing. */
  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Goes to an instant; into a gap, to the next recorded one. Keeps playing or paused. */
  seek(at: number): void {
    const mediaTime = this.#engine ? mediaAt(this.#parts, at) : null;
    this.#jump = null;
    if (mediaTime === null) return this.#open(at);
    this.#opening?.abort();
    this.#target = at;
    this.#frameTime = null;
    this.#options.video.currentTime = mediaTime;
    if (this.#wantsPlay) this.#play();
    this.#refresh();
    this.#tell();
  }

  play(): void {
    this.#wantsPlay = true;
    if (this.#state.kind === 'failed' || this.#state.kind === 'ended') return this.#open(this.position ?? 0);
    this.#play();
    this.#refresh();
  }

  pause(): void {
    this.#wantsPlay = false;
    this.#options.video.pause();
    this.#refresh();
  }

  setRate(rate: number): void {
    this.#rate = rate;
    this.#options.video.playbackRate = rate;
    this.#tell();
  }

  /** One picture on or back; pauses. */
  step(direction: 1 | -1): void {
    this.pause();
    const { video } = this.#options;
    const frameS = this.#pace.seconds;
    // From middle to middle: at an edge rounding would decide which picture shows.
    const from = this.#frameTime === null ? video.currentTime : this.#frameTime + frameS / 2;
    this.#frameTime = null;
    video.currentTime = from + direction * frameS;
  }

  /** Asks whether the right to watch still stands: goes dark at once where it does not. */
  async verify(): Promise<void> {
    const at = this.position;
    if (at === null || this.#state.kind === 'denied') return;
    const answer = await this.#options.source.getWindow({ startTime: at, endTime: at + 1000 }, this.#life.signal);
    if (answer.kind === 'refused') this.#refuse(answer.code);
  }

  close(): void {
    this.#life.abort(new DOMException('playback was closed', 'AbortError'));
    this.#letGo();
    clearLastFrame(this.#options.canvas);
  }

  #open(at: number): void {
    this.#letGo();
    this.#target = at;
    this.#set({ kind: 'loading', at });
    const opening = new AbortController();
    this.#opening = opening;
    this.#load(at, AbortSignal.any([opening.signal, this.#life.signal])).catch((error: unknown) => {
      if (opening.signal.aborted || this.#life.signal.aborted) return;
      this.#target = null;
      this.#set({ kind: 'failed', code: null, message: errorMessage(error) });
    });
  }

  async #load(at: number, signal: AbortSignal): Promise<void> {
    const outcome = await this.#chain.begin(at, signal);
    signal.throwIfAborted();
    if (outcome.kind === 'refused') return this.#refuse(outcome.code);
    if (outcome.kind === 'none') {
      this.#position = at;
      this.#target = null;
      return this.#set({ kind: 'empty', at });
    }
    if (outcome.at > at + 1000) this.#jump = { from: at, to: outcome.at };
    this.#target = outcome.at;
    this.#set({ kind: 'loading', at: outcome.at });
    const engine = await this.#options.openEngine({
      video: this.#options.video,
      playlist: () => this.#chain.text(),
      startAt: this.#chain.mediaTimeOf(outcome.at),
      onParts: (parts) => {
        this.#parts = parts;
      },
      onFault: (fault) => this.#fault(fault),
    });
    if (signal.aborted) return engine.close();
    this.#engine = engine;
    this.#options.video.playbackRate = this.#rate;
    if (this.#wantsPlay) this.#play();
    else this.#options.video.pause();
  }

  #letGo(): void {
    this.#opening?.abort();
    this.#opening = null;
    this.#position = this.position;
    paintLastFrame(this.#options.video, this.#options.canvas);
    this.#engine?.close();
    this.#engine = null;
    this.#frameTime = null;
    this.#parts = [];
    this.#chain.clear();
  }

  #play(): void {
    if (!this.#engine) return;
    const { video } = this.#options;
    video.playbackRate = this.#rate;
    video.play().catch((error: unknown) => {
      if (!(error instanceof DOMException) || this.#life.signal.aborted) return;
      if (error.name === 'NotAllowedError' && !video.muted) {
        video.muted = true;
        this.#play();
      }
    });
  }

  /** Reads the element and says what it does; final states stay until the next seek. */
  #refresh(): void {
    const { video } = this.#options;
    if (!this.#engine || this.#life.signal.aborted) return;
    // HAVE_CURRENT_DATA: the picture of the target is there.
    const hasPicture = video.readyState >= 2 && !video.seeking;
    const canTell = 'requestVideoFrameCallback' in video && !document.hidden;
    if (hasPicture && (this.#frameTime !== null || !canTell)) this.#target = null;
    this.#set(this.#stateOf(video, hasPicture));
  }

  #stateOf({ readyState, paused }: HTMLVideoElement, hasPicture: boolean): PlaybackState {
    if (hasPicture && this.#atEnd()) return { kind: 'ended' };
    if (readyState < 3 && (this.#wantsPlay || !hasPicture)) return { kind: 'loading', at: this.position ?? 0 };
    return paused ? { kind: 'paused' } : { kind: 'playing' };
  }

  #atEnd(): boolean {
    const last = this.#parts.at(-1);
    return (
      last !== undefined &&
      this.#chain.isComplete &&
      this.#options.video.currentTime > last.start + last.durationS - 0.25
    );
  }

  #watch(): void {
    this.#options.clock.after(WATCH_EVERY_MS, () => {
      if (this.#life.signal.aborted) return;
      this.#refresh();
      const position = this.position;
      if (this.#engine && position !== null) {
        this.#chain
          .extend(position + AHEAD_S * 1000 * Math.max(1, this.#rate), this.#life.signal)
          .then((refusal) => refusal !== null && this.#refuse(refusal))
          .catch((error: unknown) => this.#fault({ kind: 'network', status: null, message: String(error) }));
      }
      this.#watch();
    });
  }

  #watchFrames(): void {
    const { video } = this.#options;
    if (!('requestVideoFrameCallback' in video)) return;
    const next = (_now: number, frame: VideoFrameCallbackMetadata): void => {
      this.#pace.add(frame.mediaTime);
      if (!video.seeking) this.#frameTime = frame.mediaTime;
      this.#refresh();
      if (!this.#life.signal.aborted) video.requestVideoFrameCallback(next);
    };
    video.requestVideoFrameCallback(next);
  }

  #fault(fault: EngineFault): void {
    if (this.#life.signal.aborted) return;
    const at = this.position ?? 0;
    if (fault.kind === 'codec') {
      this.#letGo();
      return this.#set({ kind: 'unsupported', codec: fault.codec });
    }
    const now = this.#options.clock.wallMs();
    this.#reopens = this.#reopens.filter((earlier) => now - earlier < REOPEN_FORGIVEN_MS);
    this.#reopens.push(now);
    // Tickets end when idle; a new window brings a new one, or says why there is none.
    if (this.#reopens.length <= REOPEN_MAX) return this.#open(at);
    this.#letGo();
    this.#target = null;
    this.#set({ kind: 'failed', code: null, message: fault.message });
  }

  #refuse(code: number): void {
    this.#letGo();
    this.#target = null;
    clearLastFrame(this.#options.canvas);
    const isServer = code === REFUSAL_CODES.serverInternalError || code === REFUSAL_CODES.serviceBusy;
    const isDevice = code === REFUSAL_CODES.devResponseTimeOut || code === REFUSAL_CODES.devInternalErr;
    this.#set(isServer || isDevice ? { kind: 'failed', code, message: '' } : { kind: 'denied', code });
  }

  #set(state: PlaybackState): void {
    const before = this.#state;
    const isSame = before.kind === state.kind && (!('at' in before) || !('at' in state) || before.at === state.at);
    this.#state = state;
    if (!isSame) this.#tell();
  }

  #tell(): void {
    for (const listener of this.#listeners) listener();
  }
}
