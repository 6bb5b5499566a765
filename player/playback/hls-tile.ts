// A tile without WebCodecs: HLS in a video element, kept near its group's clock by playback rate. No reverse playback, steps of about a frame.
import { openHlsEngine } from './hls/hls-engine.ts';
import { PlaybackSession } from './hls/playback-session.ts';
import type { PlayerClock } from '../core/player-clock.ts';
import type { RecordingSource } from './recording-source.ts';
import type { PlaybackClock } from './playback-clock.ts';
import type { PlaybackTile, TileEvents } from './playback-tile.ts';
import type { OpenThumbnails, ServerThumbnails } from './server-thumbnails.ts';
import type { TileStatus } from './worker/worker-messages.ts';

export interface HlsTileOptions {
  /** The tile puts its elements in here. */
  readonly host: HTMLElement;
  readonly source: RecordingSource;
  readonly clock: PlayerClock;
  readonly events: TileEvents;
  readonly openThumbnails: OpenThumbnails | null;
}

const WATCH_MS = 200;
/** The session leaves gaps out by itself: so far ahead of the clock it waits for it. */
const GAP_MS = 2000;
/** So far behind, it is moved; nearer, it plays a little faster. */
const LATE_MS = 1500;
const PULL = 0.1;
const SLOWEST = 0.25;

export class HlsTile implements PlaybackTile {
  readonly #options: HlsTileOptions;
  readonly #video = document.createElement('video');
  readonly #canvas = document.createElement('canvas');
  readonly #session: PlaybackSession;
  readonly #thumbnails: Pick<ServerThumbnails, 'request'> | null;
  readonly #life = new AbortController();
  #group: PlaybackClock | null = null;
  #jump = -1;
  #isAhead = false;
  #frameAt: number | null = null;

  constructor(options: HlsTileOptions) {
    this.#options = options;
    const { host, source, clock, events, openThumbnails } = options;
    this.#video.muted = true;
    this.#video.playsInline = true;
    this.#video.disablePictureInPicture = true;
    [this.#canvas.width, this.#canvas.height] = [0, 0];
    this.#canvas.dataset['still'] = '';
    host.append(this.#video, this.#canvas);
    this.#session = new PlaybackSession({
      video: this.#video,
      canvas: this.#canvas,
      source,
      clock,
      openEngine: openHlsEngine,
    });
    this.#session.onChange(() => this.#report());
    this.#thumbnails = openThumbnails?.(source, (at, bitmap) => events.onThumbnail(at, bitmap)) ?? null;
    this.#watch();
  }

  follow(clock: PlaybackClock): void {
    this.#group = clock;
    const { jump, wallMs } = clock.state;
    if (jump !== this.#jump) {
      this.#jump = jump;
      this.#isAhead = false;
      this.#session.seek(wallMs);
    }
    // Not from inside of what the group tells: what this tile says of it would come before the group is done.
    queueMicrotask(() => this.#align());
  }

  again(): void {
    if (this.#group) this.#session.seek(this.#group.position);
  }

  async step(direction: 1 | -1): Promise<number | null> {
    const moved = new Promise<void>((resolve) => {
      const { signal } = this.#life;
      this.#video.addEventListener('seeked', () => resolve(), { once: true, signal });
      signal.addEventListener('abort', () => resolve());
    });
    this.#session.step(direction);
    await moved;
    return this.#session.position;
  }

  setThin(): void {
    // The browser leaves pictures out by itself.
  }

  setHeard(isHeard: boolean): void {
    this.#video.muted = !isHeard;
  }

  setThumbnail(at: number | null): void {
    this.#thumbnails?.request(at);
  }

  async verify(): Promise<void> {
    await this.#session.verify();
  }

  /** Its streams are not chosen by the size of the window: nothing is kept. */
  leave(): () => void {
    this.close();
    return () => undefined;
  }

  close(): void {
    this.#life.abort();
    this.#thumbnails?.request(null);
    this.#session.close();
    this.#video.remove();
    this.#canvas.remove();
  }

  /** Plays where the clock runs, and nears it by speed alone while they are close. */
  #align(): void {
    const clock = this.#group;
    const position = this.#session.position;
    if (!clock || this.#life.signal.aborted) return;
    const ahead = position === null ? 0 : position - clock.position;
    this.#isAhead = ahead > GAP_MS;
    if (this.#isAhead || !this.#isRunning(clock)) this.#pause();
    else this.#near(clock, ahead);
    this.#report();
  }

  /** What is loading goes on to: the clock stands for it. */
  #isRunning({ state: { isRunning, isPlaying, rate } }: PlaybackClock): boolean {
    return rate >= 0 && (isRunning || (isPlaying && this.#session.state.kind === 'loading'));
  }

  #pause(): void {
    const { kind } = this.#session.state;
    if (kind === 'playing' || kind === 'loading') this.#session.pause();
  }

  #near(clock: PlaybackClock, ahead: number): void {
    const { rate } = clock.state;
    const { kind } = this.#session.state;
    if (ahead < -LATE_MS * Math.max(1, rate) && kind !== 'loading') this.#session.seek(clock.position);
    const pull = Math.max(-PULL, Math.min(PULL, -ahead / LATE_MS));
    this.#session.setRate(Math.max(SLOWEST, rate * (1 + pull)));
    if (kind === 'paused' || kind === 'loading') this.#session.play();
  }

  #watch(): void {
    this.#options.clock.after(WATCH_MS, () => {
      if (this.#life.signal.aborted) return;
      this.#align();
      this.#watch();
    });
  }

  #report(): void {
    if (this.#life.signal.aborted || !this.#group) return;
    const { events } = this.#options;
    const { state, position } = this.#session;
    this.#canvas.toggleAttribute('data-shown', state.kind === 'loading');
    if (state.kind === 'denied' || state.kind === 'unsupported' || state.kind === 'failed') return events.onEnd(state);
    events.onStatus(this.#statusOf(position));
    const isShown = state.kind === 'playing' || state.kind === 'paused';
    if (!isShown || position === null || position === this.#frameAt) return;
    this.#frameAt = position;
    events.onFrame(position);
  }

  #statusOf(position: number | null): TileStatus {
    const { isAudioLeftOut, state } = this.#session;
    const { kind } = state;
    const from = this.#group?.position ?? null;
    if (kind === 'ended' || kind === 'empty') return { kind: 'gap', from, to: null };
    if (this.#isAhead) return { kind: 'gap', from, to: position };
    return kind === 'playing' || kind === 'paused' ? { kind: 'shown', isAudioLeftOut } : { kind: 'waiting' };
  }
}
