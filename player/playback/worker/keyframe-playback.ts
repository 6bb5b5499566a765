// Playback by keyframes alone: which are needed, which one is shown, and when the clock has to wait for them.
import type { SegmentEntry } from '../segments/fragment-index.ts';
import type { FragmentTimeline, TimelineSlot } from '../segments/fragment-timeline.ts';
import type { KeyframeLoader } from './keyframe-loader.ts';

/** Where playback stands, and how fast it goes. */
export interface PlaybackMotion {
  readonly at: number;
  /** Negative plays backwards. */
  readonly rate: number;
}

export interface PlayedKeyframe {
  /** Null while none is there that was not handed out yet. */
  readonly frame: VideoFrame | null;
  /** What is on screen lies too far behind. */
  readonly isLate: boolean;
}

type Gap = Extract<TimelineSlot, { kind: 'gap' }>;

/** Asked for ahead of the clock. */
const AHEAD = 2;
/** What is on screen may be so old, and at speeds where that is less than `LATE_FOR_MS` to whoever looks, that long. */
const LATE_MS = 6000;
const LATE_FOR_MS = 500;
/** So many segments are looked through for a picture that came late. */
const BEHIND = 12;

export class KeyframePlayback {
  readonly #timeline: FragmentTimeline;
  readonly #keyframes: KeyframeLoader;
  /** Where the journey began; null before it. */
  #from: number | null = null;
  /** Whose picture was handed out last on this journey. */
  #shown: SegmentEntry | null = null;
  /** Nothing of this place was shown when the journey began. */
  #isDark = false;

  constructor(line: FragmentTimeline, keys: KeyframeLoader) {
    this.#timeline = line;
    this.#keyframes = keys;
  }

  /** The clock went elsewhere: another journey begins. */
  restart(): void {
    this.#from = null;
    this.#shown = null;
    this.#keyframes.cancel(() => false);
  }

  stop(): void {
    this.restart();
    this.#keyframes.stop();
  }

  /** `isDark`: nothing of this place is on screen. Heard at the beginning of a journey. */
  update(entry: SegmentEntry, travel: PlaybackMotion, isDark: boolean): PlayedKeyframe {
    if (this.#from === null) {
      this.#from = travel.at;
      this.#isDark = isDark;
    }
    this.#askFor(entry, travel);
    const found = this.#newest(entry, travel);
    if (found) {
      this.#shown = found.entry;
      this.#isDark = false;
    }
    return { frame: found?.picture ?? null, isLate: this.#isLate(entry, travel) };
  }

  /** What the journey went through last before a gap, where its picture was not shown yet. */
  missedBefore({ from, to }: Gap, { rate }: PlaybackMotion): SegmentEntry | null {
    const edge = rate > 0 ? from : to;
    const place = edge === null ? null : this.#timeline.find(rate > 0 ? edge - 1 : edge);
    if (place?.kind !== 'segment') return null;
    const { segment } = place;
    return this.#isOnTheWay(segment, rate) && !this.#isShown(segment, rate) ? segment : null;
  }

  #askFor(entry: SegmentEntry, { rate }: PlaybackMotion): void {
    const wanted = new Set<string>();
    let place: TimelineSlot = { kind: 'segment', segment: entry };
    for (let ahead = 0; ahead <= AHEAD && place.kind === 'segment'; ahead++) {
      const { segment }: { segment: SegmentEntry } = place;
      wanted.add(segment.id);
      this.#keyframes.get(segment);
      place = rate > 0 ? this.#timeline.after(segment) : this.#timeline.before(segment);
    }
    this.#keyframes.cancel((id) => wanted.has(id), true);
  }

  /** The clock's own, or one that came late and is newer than what was shown. */
  #newest(entry: SegmentEntry, { rate }: PlaybackMotion): { entry: SegmentEntry; picture: VideoFrame } | null {
    let one = entry;
    for (let behind = 0; behind < BEHIND; behind++) {
      const picture = this.#keyframes.peek(one);
      if (picture) return { entry: one, picture };
      const place = rate > 0 ? this.#timeline.before(one) : this.#timeline.after(one);
      if (place.kind !== 'segment' || this.#isShown(place.segment, rate)) return null;
      if (!this.#isOnTheWay(place.segment, rate)) return null;
      one = place.segment;
    }
    return null;
  }

  #isLate(entry: SegmentEntry, { at, rate }: PlaybackMotion): boolean {
    if (this.#isDark) return true;
    const isPassed = rate > 0 ? at >= entry.endMs : at < entry.startMs;
    if (isPassed && !this.#isShown(entry, rate)) return true;
    const behindMs = Math.max(LATE_MS, LATE_FOR_MS * Math.abs(rate));
    const due = this.#timeline.find(rate > 0 ? at - behindMs : at + behindMs);
    return due.kind === 'segment' && this.#isOnTheWay(due.segment, rate) && !this.#isShown(due.segment, rate);
  }

  /** The journey led through it, or began in it. */
  #isOnTheWay({ startMs, endMs }: SegmentEntry, rate: number): boolean {
    if (this.#from === null) return false;
    return rate > 0 ? endMs > this.#from : startMs <= this.#from;
  }

  /** Its picture, or one further on. */
  #isShown({ startMs }: SegmentEntry, rate: number): boolean {
    if (!this.#shown) return false;
    return rate > 0 ? this.#shown.startMs >= startMs : this.#shown.startMs <= startMs;
  }
}
