// Splits a stream into fragments of at most half a second and decides where a new run begins.
import type { Mp4Sample } from '@vedette/protocols/mp4/fragment.ts';
import { type Slab, SlabPool } from '@vedette/protocols/rtp/slab-pool.ts';
import { VIDEO_TIMESCALE } from '../recordings/index-record.ts';
import type { AccessUnit, DiscontinuityReason, MediaFormat } from '../stream/stream.ts';
import { AudioFragmenter } from './audio-fragmenter.ts';
import { createRun, type Fragment, type Run } from './fragment.ts';

/** Half of the second that a kill may lose, to leave room on a loaded machine. */
export const FRAGMENT_MAX_TICKS = VIDEO_TIMESCALE / 2;
/** Keyframes closer together than this share a fragment (all-intra streams). */
const FRAGMENT_MIN_TICKS = VIDEO_TIMESCALE / 5;
/** After this time without frames the last ones are written. */
const IDLE_FLUSH_MS = 700;
/** A shorter gap stays inside the run and its file, as on the timeline (2 s). */
const RUN_GAP_MS = 2000;
/** Greatest distance between audio and video; more than the frame interval of the slowest streams. */
const AUDIO_AHEAD_MS = 30_000;
const FIRST_GUESS_TICKS = VIDEO_TIMESCALE / 25;

export interface FragmenterOptions {
  readonly monotonicMs: () => number;
  readonly newRunId: () => number;
  /** Memory for audio; its own if absent. */
  readonly slabs?: SlabPool;
  readonly emit: (fragment: Fragment) => void;
  readonly drop: (counter: 'picturesBeforeKey' | 'soundOutsideRun') => void;
}

export class Fragmenter {
  readonly #options: FragmenterOptions;
  readonly #slabs: SlabPool;
  #format: MediaFormat | null = null;
  #run: Run | null = null;
  #audio: AudioFragmenter | null = null;
  /** Run ticks minus the source's decode time. */
  #offset = 0;
  /** A wall clock and its place on the run's time line, set anew after every break. */
  #anchor = { wallMs: 0, ticks: 0 };
  /** Frames of the current fragment, and their places on the run's time line. */
  #units: AccessUnit[] = [];
  #ticks: number[] = [];
  /** Monotonic arrival time of the first one. */
  #arrivedMs = 0;
  #last: AccessUnit | null = null;
  #lastTicks = 0;
  #lastDuration = FIRST_GUESS_TICKS;
  #isBroken = true;
  #isDiscontinuity = false;
  #isAwaitingKeyframe = false;
  /** Someone set a clock: until the next key picture times go on as before it, by this much. */
  #heldBackMs = 0;

  constructor(options: FragmenterOptions) {
    this.#options = options;
    this.#slabs = options.slabs ?? new SlabPool();
  }

  /** The newest picture was left out for want of a keyframe. */
  get isAwaitingKeyframe(): boolean {
    return this.#isAwaitingKeyframe;
  }

  format(format: MediaFormat): void {
    this.flush();
    this.#format = format;
    this.#run = null;
    this.#isBroken = true;
  }

  discontinuity(_reason: DiscontinuityReason): void {
    this.flush();
    this.#isBroken = true;
    this.#audio?.break();
  }

  accessUnit(unit: AccessUnit): void {
    if (unit.track === 'audio') this.#addAudio(unit);
    else this.#addFrame(unit);
  }

  /** Call about four times a second, so that the last frames of a silent camera are written. */
  tick(): void {
    if (this.#units.length > 0 && this.#options.monotonicMs() - this.#arrivedMs >= IDLE_FLUSH_MS) this.flush();
  }

  /** Ends the current fragment; the duration of its last frame is that of the one before. */
  flush(): void {
    this.#close(null);
  }

  #addFrame(arrived: AccessUnit): void {
    const unit = this.#onSteadyClock(arrived);
    if (this.#isBroken && !this.#resume(unit)) {
      this.#options.drop('picturesBeforeKey');
      this.#isAwaitingKeyframe = true;
      return;
    }
    this.#isAwaitingKeyframe = false;
    const ticks = unit.dts + this.#offset;
    if (this.#last) this.#lastDuration = Math.max(1, Math.min(ticks - this.#lastTicks, VIDEO_TIMESCALE));
    if (this.#isFull(unit, ticks)) this.#close(ticks);
    if (this.#units.length === 0) this.#arrivedMs = this.#options.monotonicMs();
    unit.slab?.hold();
    this.#units.push(unit);
    this.#ticks.push(ticks);
    this.#last = unit;
    this.#lastTicks = ticks;
  }

  #isFull(next: AccessUnit, ticks: number): boolean {
    const first = this.#ticks[0];
    if (first === undefined) return false;
    const elapsed = ticks - first;
    // Applies to short GOPs too: otherwise their fragments would never start with a keyframe.
    if (next.isKey && (elapsed >= FRAGMENT_MIN_TICKS || !this.#units[0]?.isKey)) return true;
    return elapsed + this.#lastDuration / 2 > FRAGMENT_MAX_TICKS;
  }

  /**
   * Wall clock and decode time diverge by more than a gap: a clock was set. A new file must start with a keyframe, so
   * frames before it keep the old time; none is lost or overwritten.
   */
  #onSteadyClock(unit: AccessUnit): AccessUnit {
    if (!this.#last || this.#isBroken) {
      this.#heldBackMs = 0;
      return unit;
    }
    const byTicks = ((unit.dts - this.#last.dts) * 1000) / VIDEO_TIMESCALE;
    const expected = this.#last.wallMs + byTicks;
    if (Math.abs(unit.wallMs + this.#heldBackMs - expected) > RUN_GAP_MS)
      this.#heldBackMs = Math.round(expected - unit.wallMs);
    if (this.#heldBackMs === 0) return unit;
    if (!unit.isKey) return { ...unit, wallMs: unit.wallMs + this.#heldBackMs };
    this.#heldBackMs = 0;
    this.flush();
    this.#isBroken = true;
    this.#audio?.break();
    return unit;
  }

  /** True if `unit` may start a run or continue after the break. */
  #resume(unit: AccessUnit): boolean {
    if (!unit.isKey || !this.#format?.video) return false;
    const endWallMs = this.#last ? this.#last.wallMs + (this.#lastDuration * 1000) / VIDEO_TIMESCALE : 0;
    const gapMs = unit.wallMs - endWallMs;
    if (this.#run && this.#last && gapMs < RUN_GAP_MS && gapMs > -RUN_GAP_MS) {
      const end = this.#lastTicks + this.#lastDuration;
      this.#place(unit, end + Math.round((Math.max(0, gapMs) * VIDEO_TIMESCALE) / 1000));
    } else {
      this.#run = createRun(this.#options.newRunId(), this.#format);
      this.#audio = this.#format.audio ? new AudioFragmenter(this.#format.audio, this.#slabs) : null;
      this.#place(unit, 0);
    }
    this.#last = null;
    this.#isBroken = false;
    this.#isDiscontinuity = true;
    return true;
  }

  #place(unit: AccessUnit, ticks: number): void {
    this.#offset = ticks - unit.dts;
    this.#anchor = { wallMs: unit.wallMs, ticks };
  }

  #addAudio(unit: AccessUnit): void {
    if (!this.#audio || this.#isBroken) return;
    const wallMs = unit.wallMs + this.#heldBackMs;
    // The clock was set between this audio and its video.
    if (this.#last && Math.abs(wallMs - this.#last.wallMs) > AUDIO_AHEAD_MS) {
      this.#options.drop('soundOutsideRun');
      return;
    }
    const sinceAnchor = wallMs - this.#anchor.wallMs;
    const driftOfPictures = this.#frameDriftMs();
    const runMs = (this.#anchor.ticks * 1000) / VIDEO_TIMESCALE + sinceAnchor + driftOfPictures;
    if (!this.#audio.add(unit, runMs)) this.#options.drop('soundOutsideRun');
  }

  /** Lead of decode times over the wall clock since the anchor. */
  #frameDriftMs(): number {
    if (!this.#last) return 0;
    const byTicks = ((this.#lastTicks - this.#anchor.ticks) * 1000) / VIDEO_TIMESCALE;
    return byTicks - (this.#last.wallMs - this.#anchor.wallMs);
  }

  #close(nextTicks: number | null): void {
    const units = this.#units;
    const ticks = this.#ticks;
    const first = units[0];
    if (!first || !this.#run) return;
    this.#units = [];
    this.#ticks = [];
    let bytes = 0;
    let durationTicks = 0;
    const slabs: Slab[] = [];
    const pieces: Buffer[] = [];
    const samples = units.map(({ data, isKey, ctsOffset, slab }, index): Mp4Sample => {
      const start = ticks[index] as number;
      const end = ticks[index + 1] ?? nextTicks ?? start + this.#lastDuration;
      const duration = Math.max(1, end - start);
      bytes += data.length;
      durationTicks += duration;
      if (slab) slabs.push(slab);
      pieces.push(data);
      return { size: data.length, duration, isKey, ctsOffset };
    });
    const sound = this.#audio?.take() ?? null;
    if (sound) slabs.push(sound.slab);
    const isDiscontinuity = this.#isDiscontinuity;
    this.#isDiscontinuity = false;
    this.#options.emit({
      run: this.#run,
      wallMs: first.wallMs,
      isKey: first.isKey,
      isDiscontinuity,
      durationTicks,
      video: { startTicks: ticks[0] as number, samples, data: pieces, bytes },
      audio: sound?.part ?? null,
      arrivedMs: this.#arrivedMs,
      slabs,
    });
  }
}
