// One tile inside the worker: follows the clock, chooses how to decode, draws, and reports what it shows.
import { ALL_FRAMES_UP_TO, type ClockState, microseconds, positionAt } from './clock-state.ts';
import { KeyframePlayback } from './keyframe-playback.ts';
import type { SegmentEntry } from '../segments/fragment-index.ts';
import type { TimelineSlot } from '../segments/fragment-timeline.ts';
import { KeyframeLoader } from './keyframe-loader.ts';
import { FrameBlocks } from './frame-block.ts';
import { DecodePipeline } from './decode-pipeline.ts';
import type { SegmentStore } from '../segments/segment-store.ts';
import { SegmentErrors } from '../segments/segment-errors.ts';
import { AudioPipeline } from './audio-pipeline.ts';
import { type RenderedFrame, TileRenderer } from './tile-renderer.ts';
import { TileWindows } from './tile-windows.ts';
import type { FragmentFault, FromTile, TileStatus, WindowReply } from './worker-messages.ts';

export interface TileReaderOptions {
  readonly tile: string;
  readonly windowMs: number;
  readonly store: SegmentStore;
  readonly now: () => number;
  readonly post: (message: FromTile, transfer?: Transferable[]) => void;
  /** Bytes of decoded pictures that this tile may hold. */
  readonly budgetBytes: () => number;
  /** Something came: tick soon. */
  readonly wake: () => void;
  /** Capture instant of the neighbour that `step` asked for, ms; null where there is none. */
  readonly onStepped: (at: number | null) => void;
}

/** What comes next is looked for this far ahead, in recordings at speed 1. */
const LOOK_AHEAD_MS = 12_000;
const THUMBNAIL_WIDTH = 240;
/** All tiles together may be so far behind the clock, at speed 1, before it waits for them. */
export const LATE_MS = 250;

type Mode = 'run' | 'blocks' | 'keys';

interface Drawn {
  readonly atUs: number;
  readonly untilUs: number;
}

export class TileReader {
  readonly #options: TileReaderOptions;
  readonly #renderer = new TileRenderer();
  readonly #windows: TileWindows;
  readonly #pipeline: DecodePipeline;
  readonly #blocks: FrameBlocks;
  readonly #fast: KeyframePlayback;
  readonly #thumbnails: KeyframeLoader;
  readonly #audio: AudioPipeline;
  #clock: ClockState;
  #mode: Mode | null = null;
  #status: TileStatus = { kind: 'waiting' };
  #drawn: Drawn | null = null;
  #isThin = false;
  #isHeard = false;
  #isDark = false;
  #thumbnailAt: number | null = null;
  #thumbnailShown = '';
  readonly #errors = new SegmentErrors();
  /** Asked for before its window was there. */
  #awaitedStep: 1 | -1 | null = null;

  constructor(options: TileReaderOptions, clock: ClockState) {
    this.#options = options;
    this.#clock = clock;
    const { tile, windowMs, store, now, post, wake, budgetBytes } = options;
    this.#windows = new TileWindows({
      windowMs,
      now,
      want: (window, isStale, at) => post({ kind: 'wantWindow', tile, window, isStale, at }),
      answeredAt: (base) => performance.timeOrigin + store.answeredAt(base),
    });
    const { timeline } = this.#windows;
    const common = {
      timeline,
      store,
      onUnsupported: (codec: string) => this.#fault({ kind: 'unsupported', codec }),
      onMissing: (entry: SegmentEntry, error: unknown) => this.#missing(entry, error),
      onReady: () => {
        this.#errors.end();
        wake();
      },
    };
    this.#pipeline = new DecodePipeline(common);
    this.#blocks = new FrameBlocks({ ...common, budgetBytes });
    this.#fast = new KeyframePlayback(timeline, new KeyframeLoader(common));
    // A still that does not come is no fault of the tile.
    this.#thumbnails = new KeyframeLoader({ ...common, onUnsupported: () => undefined, onMissing: () => undefined });
    this.#audio = new AudioPipeline({ timeline, store, onChunk: (chunk) => this.#postAudio(chunk) });
  }

  setClock(clock: ClockState): void {
    if (clock.jump !== this.#clock.jump) {
      this.#audio.reset();
      this.#fast.restart();
      this.#isDark = false;
      this.#errors.end();
      // The page takes it for waiting too until it is told.
      this.#status = { kind: 'waiting' };
    }
    this.#clock = clock;
  }

  setWindow(window: number, reply: WindowReply): void {
    this.#windows.put(window, reply);
    const direction = this.#awaitedStep;
    this.#awaitedStep = null;
    if (direction !== null) this.step(direction);
  }

  setSize(width: number, height: number): void {
    this.#renderer.setBox({ width, height });
    this.#drawn = null;
  }

  setThin(isThin: boolean): void {
    this.#isThin = isThin;
  }

  setHeard(isHeard: boolean): void {
    this.#isHeard = isHeard;
    this.#audio.reset();
  }

  setThumbnail(at: number | null): void {
    this.#thumbnailAt = at;
    this.#thumbnailShown = '';
    if (at === null) this.#thumbnails.stop();
  }

  /** Answers by `onStepped` once the neighbour is known. */
  step(direction: 1 | -1): void {
    const { onStepped, now } = this.#options;
    const at = positionAt(this.#clock, now());
    const place = this.#windows.timeline.find(at);
    const answer = (us: number | null): void => onStepped(us === null ? null : us / 1000);
    if (place.kind === 'unknown') {
      this.#awaitedStep = direction;
      return this.#windows.need(at);
    }
    if (place.kind !== 'segment') {
      const edge = direction === 1 ? place.to : place.from && place.from - 1;
      return answer(edge === null ? null : edge * 1000);
    }
    this.#blocks.neighbour(place.segment, this.#shownUs(at), direction).then(answer, () => answer(null));
  }

  /** Nothing is painted until the clock jumps: what was shown may not be seen any more. */
  clear(): void {
    this.#isDark = true;
    this.#stop();
    this.#windows.clear();
    this.#renderer.clear();
    this.#drawn = null;
  }

  close(): void {
    this.clear();
  }

  /** Dark, and said so, until `again` or a jump of the clock. */
  fail(message: string): void {
    this.#isDark = true;
    this.#options.post({ kind: 'fault', tile: this.#options.tile, fault: { kind: 'failed', message } });
    this.#stop();
    this.#windows.clear();
  }

  again(): void {
    this.#isDark = false;
    this.#errors.end();
    this.#status = { kind: 'waiting' };
  }

  /** Up to where pictures are decoded that come one after the other, ms; null where this tile holds nobody up. */
  get reachMs(): number | null {
    const isRunning = this.#mode === 'run' && this.#status.kind === 'shown' && !this.#isDark;
    const reachUs = isRunning ? this.#pipeline.reachUs : null;
    return reachUs === null ? null : reachUs / 1000;
  }

  /**
   * Draws the picture of `at`, where the clock stands at `clockAt`: an instant before it while others are being decoded.
   * True while it must be looked at again soon.
   */
  tick(at: number, clockAt: number): boolean {
    if (this.#isDark) return false;
    this.#windows.need(at);
    this.#windows.need(at + LOOK_AHEAD_MS * Math.max(1, Math.abs(this.#clock.rate)) * Math.sign(this.#clock.rate));
    this.#tickThumbnail();
    const place = this.#windows.timeline.find(at);
    const segment = place.kind === 'segment' ? place.segment : this.#missedBefore(place, at);
    if (segment) this.#show(segment, at, clockAt);
    else this.#tell(place.kind === 'gap' ? place : { kind: 'waiting' });
    return this.#clock.isPlaying || this.#status.kind === 'waiting' || this.#thumbnailAt !== null;
  }

  /** The picture that the last look painted; null where the one on screen stays. */
  takeFrame(): RenderedFrame | null {
    return this.#renderer.take();
  }

  /** A clock that stands looks ahead. */
  get #direction(): 1 | -1 {
    return this.#clock.isPlaying && this.#clock.rate < 0 ? -1 : 1;
  }

  #show(entry: SegmentEntry, at: number, clockAt: number): void {
    const atUs = microseconds(at);
    const mode = this.#chooseMode();
    // Where the pictures are too many for the machine, the audio is not.
    if (this.#isHeard && this.#clock.isPlaying && this.#clock.rate === 1) this.#audio.tick(at);
    if (mode === 'keys') return this.#showKeyframe(entry, at);
    const picture =
      mode === 'run' ? this.#pipeline.frameAt(entry, atUs) : this.#blocks.frameAt(entry, atUs, this.#direction);
    if (picture) this.#draw(picture);
    const isReady = picture !== null && (mode !== 'run' || this.#pipeline.isAt(microseconds(clockAt), this.#lateUs));
    this.#tell(isReady || this.#isDrawn(atUs) ? { kind: 'shown' } : { kind: 'waiting' });
  }

  /** What plays is held up only where it falls behind for good. */
  get #lateUs(): number {
    return this.#status.kind === 'shown' ? LATE_MS * 1000 * this.#clock.rate : 0;
  }

  #showKeyframe(entry: SegmentEntry, at: number): void {
    const { rate } = this.#clock;
    const { frame, isLate } = this.#fast.update(entry, { at, rate }, this.#status.kind === 'waiting');
    if (frame) this.#draw(frame);
    this.#tell(isLate ? { kind: 'waiting' } : { kind: 'shown' });
  }

  /** Fast playback does not end, or leap over a gap, ahead of the last picture before it. */
  #missedBefore(place: TimelineSlot, at: number): SegmentEntry | null {
    const { rate, isPlaying } = this.#clock;
    if (place.kind !== 'gap' || !isPlaying || this.#mode !== 'keys') return null;
    return this.#fast.missedBefore(place, { at, rate });
  }

  #chooseMode(): Mode {
    const { rate, isPlaying } = this.#clock;
    const isFast = isPlaying && (Math.abs(rate) > ALL_FRAMES_UP_TO || this.#isThin);
    const mode = isFast ? 'keys' : isPlaying && rate > 0 ? 'run' : 'blocks';
    if (mode !== this.#mode) {
      for (const other of ['run', 'blocks', 'keys'] as const) if (other !== mode) this.#of(other).stop();
      this.#mode = mode;
    }
    return mode;
  }

  #of(mode: Mode): DecodePipeline | FrameBlocks | KeyframePlayback {
    return mode === 'run' ? this.#pipeline : mode === 'blocks' ? this.#blocks : this.#fast;
  }

  #draw(picture: VideoFrame): void {
    const atUs = picture.timestamp;
    if (atUs === this.#drawn?.atUs) return;
    this.#renderer.paint(picture);
    this.#drawn = { atUs, untilUs: atUs + (picture.duration ?? 0) };
  }

  #isDrawn(atUs: number): boolean {
    return this.#drawn !== null && atUs >= this.#drawn.atUs && atUs < this.#drawn.untilUs;
  }

  /** From the picture on screen where it is the clock's, else from the clock itself. */
  #shownUs(at: number): number {
    const atUs = microseconds(at);
    return this.#isDrawn(atUs) ? (this.#drawn?.atUs ?? atUs) : atUs;
  }

  #tickThumbnail(): void {
    const at = this.#thumbnailAt;
    if (at === null) return;
    this.#windows.need(at);
    const place = this.#windows.timeline.find(at);
    if (place.kind !== 'segment') return;
    const { segment } = place;
    this.#thumbnails.cancel((id) => id === segment.id);
    const picture = this.#thumbnails.get(segment);
    if (!picture || this.#thumbnailShown === segment.id) return;
    this.#thumbnailShown = segment.id;
    const { tile, post } = this.#options;
    const stillAt = picture.timestamp / 1000;
    createImageBitmap(picture, { resizeWidth: THUMBNAIL_WIDTH }).then(
      (bitmap) => post({ kind: 'still', tile, at: stillAt, bitmap }, [bitmap]),
      () => undefined, // The picture was closed meanwhile: another one is wanted.
    );
  }

  #postAudio(chunk: { at: number; sampleRate: number; channels: readonly Float32Array<ArrayBuffer>[] }): void {
    const { tile, post } = this.#options;
    const { jump } = this.#clock;
    post(
      { kind: 'sound', tile, jump, ...chunk },
      chunk.channels.map(({ buffer }) => buffer),
    );
  }

  #missing(entry: SegmentEntry, error: unknown): void {
    const verdict = this.#errors.decide(entry, error);
    if (verdict.kind === 'refused' || verdict.kind === 'failed') return this.#fault(verdict);
    if (verdict.kind === 'damaged') this.#windows.timeline.leaveOut(entry);
    else if (verdict.kind === 'renew') this.#windows.renew(entry);
  }

  #fault(fault: FragmentFault): void {
    this.clear();
    this.#options.post({ kind: 'fault', tile: this.#options.tile, fault });
  }

  #tell(status: TileStatus): void {
    const before = this.#status;
    const isSame =
      before.kind === status.kind &&
      (status.kind !== 'gap' || (before.kind === 'gap' && before.from === status.from && before.to === status.to));
    this.#status = status;
    const { tile, post } = this.#options;
    if (!isSame) post({ kind: 'status', tile, status, jump: this.#clock.jump });
  }

  #stop(): void {
    this.#pipeline.stop();
    this.#blocks.stop();
    this.#fast.stop();
    this.#thumbnails.stop();
    this.#audio.reset();
    this.#mode = null;
  }
}
