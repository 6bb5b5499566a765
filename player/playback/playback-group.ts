// Up to sixteen tiles on one clock: who is waited for, what happens where nobody has a recording, whose audio plays.
import { backoffDelayMs } from '@vedette/foundation/backoff/backoff.ts';
import type { PlayerClock } from '../core/player-clock.ts';
import type { PlaybackJump } from './hls/playback-state.ts';
import type { RecordingSource } from './recording-source.ts';
import { GapSkip } from './gap-skip.ts';
import { PlaybackClock } from './playback-clock.ts';
import type { PlaybackTile, TileEnd, TileEvents } from './playback-tile.ts';
import { dropLeft, isSame, type PlaybackSeat as Seat } from './playback-seat.ts';
import { TilePace } from './tile-pace.ts';
import { NO_VIEW, type TileState, type TileView } from './tile-view.ts';
import type { TileStatus } from './worker/worker-messages.ts';

export interface PlaybackGroupOptions {
  readonly clock: PlayerClock;
  readonly openTile: (id: string, host: HTMLElement, source: RecordingSource, events: TileEvents) => PlaybackTile;
  /** Lets go of what the tiles share. */
  readonly onClose: () => void;
}

const WATCH_MS = 100;
/** What failed is tried again after this; the wait doubles each time, up to the longest. */
const AGAIN_MS = 1000;
const AGAIN_LONGEST_MS = 5000;
/** Among the holders of the clock: nobody sees what it would pass. */
const ALL_FAILED = ' all failed';
/** Where a jump lands that far behind what was asked for, it is said. */
const JUMP_MS = 1000;

export class PlaybackGroup {
  readonly clock: PlaybackClock;
  readonly #options: PlaybackGroupOptions;
  readonly #seats = new Map<string, Seat>();
  readonly #listeners = new Set<() => void>();
  readonly #life = new AbortController();
  #thumbnailListener: ((at: number, bitmap: ImageBitmap) => void) | null = null;
  #jump: PlaybackJump | null = null;
  readonly #skip: GapSkip;
  #hasPlace = false;
  #wasSought = false;
  #heard: string | null = null;
  #knownJump = 0;
  #knownRate = 1;

  constructor(options: PlaybackGroupOptions) {
    this.#options = options;
    this.clock = new PlaybackClock(options.clock);
    this.#skip = new GapSkip({
      clock: this.clock,
      time: options.clock,
      onFound: (from, to) => this.#leap(from, to),
      onChange: () => this.#judge(),
      onFailure: (message) => this.#failAll(message),
    });
    this.clock.onChange(() => this.#followClock());
    this.#watch();
  }

  /** The gap that was left out last; cleared by the next seek. */
  get jump(): PlaybackJump | null {
    return this.#jump;
  }

  /** Null before the first seek. */
  get position(): number | null {
    return this.#hasPlace ? this.clock.position : null;
  }

  /** Told of every change of a tile's view, of `jump` and of the clock; positions are read when drawing. */
  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** The same object until it changes. */
  view(id: string): TileView {
    return this.#seats.get(id)?.view ?? NO_VIEW;
  }

  /** Capture time of the frame on screen, ms; null while there is none. */
  shownAt(id: string): number | null {
    return this.#seats.get(id)?.shownAt ?? null;
  }

  add(id: string, host: HTMLElement, source: RecordingSource): void {
    this.remove(id);
    this.#open(id, host, source);
  }

  /** Another stream of the same camera: the picture stays until the new one shows its first. */
  exchange(id: string, host: HTMLElement, source: RecordingSource): void {
    const seat = this.#seats.get(id);
    if (!seat) return this.add(id, host, source);
    // The tile has shown nothing yet while the picture of the stream before it still stands: that picture stays.
    if (seat.dropLeft) seat.tile.close();
    this.#open(id, host, source, seat.dropLeft ?? seat.tile.leave());
  }

  #open(id: string, host: HTMLElement, source: RecordingSource, dropLeft: (() => void) | null = null): void {
    const tile = this.#options.openTile(id, host, source, {
      onStatus: (status) => this.#status(id, status),
      onEnd: (end) => this.#ended(id, end),
      onFrame: (at) => this.#frame(id, at),
      onThumbnail: (at, bitmap) => (this.#thumbnailListener ? this.#thumbnailListener(at, bitmap) : bitmap.close()),
    });
    const status: TileStatus = { kind: 'waiting' };
    const pace = new TilePace();
    const own = { id, tile, source, pace, status };
    const seat: Seat = {
      ...own,
      end: null,
      endedMs: 0,
      tries: 0,
      shownAt: null,
      isThin: false,
      view: NO_VIEW,
      dropLeft,
    };
    this.#seats.set(id, seat);
    if (this.#hasPlace) {
      seat.pace.waits(this.#options.clock.wallMs());
      tile.follow(this.clock);
    }
    tile.setHeard(id === this.#heard);
    this.#judge();
  }

  remove(id: string): void {
    const seat = this.#seats.get(id);
    if (!seat) return;
    this.#seats.delete(id);
    dropLeft(seat);
    seat.tile.close();
    this.clock.release(id);
    this.#judge();
  }

  /** Goes to an instant; where no tile has recordings, to the next one that any has. Keeps playing or paused. */
  seek(at: number): void {
    this.#jump = null;
    this.#wasSought = true;
    this.#goTo(at);
  }

  play(): void {
    const isOver = this.#skip.end !== null || [...this.#seats.values()].some(({ end }) => end?.kind === 'failed');
    if (isOver && this.#hasPlace) this.seek(this.clock.position);
    this.clock.play();
  }

  pause(): void {
    this.clock.pause();
  }

  setRate(rate: number): void {
    this.clock.setRate(rate);
  }

  /** One picture on or back by the count of one tile; all go there. Pauses. */
  async step(id: string, direction: 1 | -1): Promise<void> {
    this.clock.pause();
    const at = await this.#seats.get(id)?.tile.step(direction);
    if (at === null || at === undefined || this.#life.signal.aborted) return;
    this.#wasSought = false;
    this.#goTo(at);
  }

  /** At most one tile is heard, at speed 1. */
  listen(id: string | null): void {
    this.#heard = id;
    for (const seat of this.#seats.values()) seat.tile.setHeard(seat.id === id);
  }

  /** Pictures under the pointer, from one tile, until `at` is null. The listener closes them. */
  scrub(id: string, at: number | null, onStill: (at: number, bitmap: ImageBitmap) => void): void {
    this.#thumbnailListener = at === null ? null : onStill;
    this.#seats.get(id)?.tile.setThumbnail(at);
  }

  /** Asks for every tile whether the right to watch still stands: goes dark at once where it does not. */
  async verify(): Promise<void> {
    const { position } = this.clock;
    if (!this.#hasPlace) return;
    const seats = [...this.#seats.values()].filter(({ end }) => end?.kind !== 'denied');
    await Promise.all(seats.map(({ tile }) => tile.verify(position)));
  }

  close(): void {
    this.#life.abort(new DOMException('playback was closed', 'AbortError'));
    this.#skip.cancel();
    for (const seat of this.#seats.values()) {
      dropLeft(seat);
      seat.tile.close();
    }
    this.#seats.clear();
    this.#listeners.clear();
    this.#options.onClose();
  }

  #goTo(at: number): void {
    this.#hasPlace = true;
    for (const seat of this.#seats.values()) seat.end = null;
    this.clock.seek(at);
    // Last: until then the tiles hold the clock by themselves.
    this.#skip.cancel();
  }

  #followClock(): void {
    const { jump, rate } = this.clock.state;
    const now = this.#options.clock.wallMs();
    if (jump !== this.#knownJump || rate !== this.#knownRate) {
      this.#knownRate = rate;
      for (const seat of this.#seats.values()) {
        seat.pace.restart(now);
        if (jump === this.#knownJump) continue;
        // What a tile said of another place is void.
        seat.status = { kind: 'waiting' };
        seat.pace.waits(now);
      }
      this.#knownJump = jump;
    }
    if (this.#hasPlace) for (const { tile } of this.#seats.values()) tile.follow(this.clock);
    this.#judge();
  }

  #status(id: string, status: TileStatus): void {
    const seat = this.#seats.get(id);
    if (!seat) return;
    seat.status = status;
    const now = this.#options.clock.wallMs();
    if (status.kind === 'waiting') seat.pace.waits(now);
    else {
      seat.pace.ready(now, this.clock.isPlaying);
      seat.tries = 0;
    }
    this.#judge();
  }

  #ended(id: string, end: TileEnd): void {
    const seat = this.#seats.get(id);
    if (!seat) return;
    // Some tiles say it again and again.
    if (!seat.end) seat.endedMs = this.#options.clock.wallMs();
    seat.end = end;
    dropLeft(seat);
    seat.shownAt = null;
    this.#judge();
  }

  #frame(id: string, at: number): void {
    const seat = this.#seats.get(id);
    if (!seat) return;
    seat.shownAt = at;
    dropLeft(seat);
    // While playing, twenty pictures a second are no news.
    if (!this.clock.isPlaying) this.#updateViews();
  }

  /** Holds the clock for tiles that are waited for, skips what nobody has, and tells what changed. */
  #judge(): void {
    const now = this.#options.clock.wallMs();
    const live = [...this.#seats.values()].filter(({ end }) => end === null);
    const isAlone = !live.some(({ status }) => status.kind === 'shown');
    for (const seat of this.#seats.values()) {
      seat.pace.grow(now, isAlone);
      if (seat.isThin !== seat.pace.isThin) {
        seat.isThin = seat.pace.isThin;
        seat.tile.setThin(seat.isThin);
      }
      if (seat.end === null && seat.pace.pace === 'waiting') this.clock.hold(seat.id);
      else this.clock.release(seat.id);
    }
    const hasFailed = live.length === 0 && [...this.#seats.values()].some(({ end }) => end?.kind === 'failed');
    if (hasFailed) this.clock.hold(ALL_FAILED);
    else this.clock.release(ALL_FAILED);
    if (live.length > 0 && live.every(({ status }) => status.kind === 'gap')) this.#skip.look(live, this.#wasSought);
    else if (!isAlone) this.#skip.cancel();
    if (!isAlone) this.#wasSought = false;
    this.#updateViews();
  }

  #leap(from: number, to: number): void {
    this.#goTo(to);
    if (Math.abs(to - from) > JUMP_MS) this.#jump = { from, to };
    this.#tell();
  }

  #failAll(message: string): void {
    for (const { id, end } of this.#seats.values()) if (!end) this.#ended(id, { kind: 'failed', code: null, message });
  }

  #watch(): void {
    this.#options.clock.after(WATCH_MS, () => {
      if (this.#life.signal.aborted) return;
      this.#tryAgain();
      if ([...this.#seats.values()].some(({ pace }) => pace.pace === 'waiting' || pace.isThin)) this.#judge();
      this.#watch();
    });
  }

  /** Of a server that was away, playback comes back by itself. Whoever has a picture does not wait for it. */
  #tryAgain(): void {
    const now = this.#options.clock.wallMs();
    const seats = [...this.#seats.values()];
    const due = seats.filter(
      ({ end, endedMs, tries }) =>
        end?.kind === 'failed' &&
        now - endedMs >= backoffDelayMs(tries, 0, { firstMs: AGAIN_MS, maxMs: AGAIN_LONGEST_MS }),
    );
    if (due.length === 0) return;
    const isWaitedFor = !seats.some(({ end, status }) => end === null && status.kind === 'shown');
    for (const seat of due) {
      seat.end = null;
      seat.tries++;
      seat.status = { kind: 'waiting' };
      if (isWaitedFor) {
        seat.pace.restart(now);
        seat.pace.waits(now);
      }
      seat.tile.again();
    }
    this.#judge();
  }

  #updateViews(): void {
    for (const seat of this.#seats.values()) {
      const state = this.#stateOf(seat);
      const { isThin } = seat.pace;
      const isAudioLeftOut = seat.status.kind === 'shown' && seat.status.isAudioLeftOut === true;
      const shownAt = this.clock.isPlaying ? null : seat.shownAt;
      const view: TileView = { state, shownAt, isThin, isAudioLeftOut };
      if (!isSame(seat.view, view)) seat.view = view;
    }
    this.#tell();
  }

  #stateOf({ end, status, pace }: Seat): TileState {
    if (!this.#hasPlace) return { kind: 'idle' };
    if (end) return end;
    if (this.#skip.end) return this.#skip.end;
    if (status.kind === 'gap') return status;
    if (pace.pace === 'catchingUp' && this.clock.isPlaying) return { kind: 'catchingUp' };
    // Many tiles wait for one: those that have their picture say nothing of it.
    if (status.kind === 'waiting') return { kind: 'loading', at: this.clock.state.wallMs };
    return { kind: this.clock.isPlaying ? 'playing' : 'paused' };
  }

  #tell(): void {
    for (const listener of this.#listeners) listener();
  }
}
