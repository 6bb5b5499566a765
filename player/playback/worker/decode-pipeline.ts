// Decode pipeline of forward playback: frames in the order of the clock, decoded a little ahead of it.
import type { FragmentTimeline } from '../segments/fragment-timeline.ts';
import type { SegmentEntry } from '../segments/fragment-index.ts';
import type { VideoSample } from '../segments/fragment-samples.ts';
import { FrameSource } from './frame-source.ts';
import type { LoadedSegment, SegmentStore } from '../segments/segment-store.ts';

export interface DecodePipelineOptions {
  readonly timeline: FragmentTimeline;
  readonly store: SegmentStore;
  readonly onUnsupported: (codec: string) => void;
  /** A segment did not come, or can't be decoded. */
  readonly onMissing: (entry: SegmentEntry, error: unknown) => void;
  /** Something came: look again. */
  readonly onReady: () => void;
}

/** Pictures decoded ahead; hardware has few surfaces. */
const AHEAD = 6;
/** Fed at once and not out yet. */
const PENDING_MAX = 8;
/** Beyond this the clock went elsewhere. */
const LEAP_US = 3_000_000;

export class DecodePipeline {
  readonly #options: DecodePipelineOptions;
  readonly #source: FrameSource;
  #queue: VideoFrame[] = [];
  #segment: LoadedSegment | null = null;
  #index = 0;
  #loading: string | null = null;
  /** Capture instant of the keyframe that it began with, µs. */
  #beganUs = 0;
  /** Capture instant of the next picture to be fed, µs. */
  #fedUntilUs = 0;
  #wantedUs = 0;
  #isFlushing = false;
  /** Everything was handed out: only a keyframe may follow. */
  #isDrained = false;

  constructor(options: DecodePipelineOptions) {
    this.#options = options;
    this.#source = new FrameSource({
      onFrame: (picture) => this.#take(picture),
      onUnsupported: options.onUnsupported,
      onBroken: (error) => this.#broke(error),
    });
  }

  /** The picture of an instant, or the one before it while that is not decoded; null before the first. The run keeps it. */
  frameAt(entry: SegmentEntry, atUs: number): VideoFrame | null {
    this.#wantedUs = atUs;
    if (!this.#reaches(entry, atUs)) this.#begin(entry, atUs);
    this.#drop(atUs);
    this.#feed(atUs);
    const [first] = this.#queue;
    return first && first.timestamp <= atUs ? first : null;
  }

  /** Whether a picture is decoded that is at most `lateUs` older than the instant's own. */
  isAt(atUs: number, lateUs: number): boolean {
    const [first, next] = this.#queue;
    if (!first || first.timestamp > atUs) return false;
    // Pictures that were left out: the one before them stands until what follows is due.
    if (next && next.timestamp > atUs) return true;
    // The last one before a gap or the newest edge stands until something follows.
    return atUs < first.timestamp + (first.duration ?? 0) * 2 + lateUs || this.#isDrained;
  }

  /** The last picture that is decoded shows until here, µs; null where nothing is on its way behind it. */
  get reachUs(): number | null {
    const last = this.#queue.at(-1);
    return last && !this.#isDrained ? last.timestamp + (last.duration ?? 0) : null;
  }

  stop(): void {
    this.#clear();
    this.#segment = null;
    this.#loading = null;
    this.#source.close();
  }

  #reaches(entry: SegmentEntry, atUs: number): boolean {
    if (this.#loading === entry.id) return true;
    const { entry: mine, video } = this.#segment ?? {};
    if (!mine || !video) return false;
    // Until the decoder hands out the first one, that one is on its way.
    const first = this.#queue[0]?.timestamp ?? this.#beganUs;
    if (atUs < first - 100_000 || atUs <= mine.startMs * 1000 - LEAP_US) return false;
    if (atUs < this.#fedUntilUs + LEAP_US) return true;
    // Far on: another beginning is worth it where it leaves pictures out.
    return mine.id === entry.id && keyframeIndex(video, atUs) <= this.#index;
  }

  #begin(entry: SegmentEntry, atUs: number): void {
    this.#clear();
    this.#segment = null;
    this.#load(entry, (loaded) => {
      const { video } = loaded.setup;
      if (!video) return this.#options.onUnsupported(loaded.setup.tracks[0]?.sampleEntry ?? '');
      this.#segment = loaded;
      this.#index = keyframeIndex(loaded.video, Math.max(atUs, this.#wantedUs));
      this.#beganUs = loaded.video[this.#index]?.atUs ?? atUs;
      this.#fedUntilUs = this.#beganUs;
      this.#source.reset(video, { keepsMany: false, isReordered: loaded.isReordered });
    });
  }

  #load(entry: SegmentEntry, then: (loaded: LoadedSegment) => void): void {
    const { store, onReady, onMissing } = this.#options;
    this.#loading = entry.id;
    store.segment(entry).then(
      (loaded) => {
        if (this.#loading !== entry.id) return;
        this.#loading = null;
        then(loaded);
        onReady();
      },
      (error: unknown) => {
        if (this.#loading !== entry.id) return;
        this.#loading = null;
        onMissing(entry, error);
      },
    );
  }

  #feed(atUs: number): void {
    for (;;) {
      const ahead = this.#queue.filter(({ timestamp }) => timestamp > atUs).length;
      if (!this.#segment || ahead >= AHEAD || this.#source.pending >= PENDING_MAX || this.#isFlushing) return;
      const sample = this.#segment.video[this.#index];
      if (!sample) return this.#advance(this.#segment);
      this.#source.decode(sample);
      this.#index++;
      this.#fedUntilUs = Math.max(this.#fedUntilUs, sample.atUs + sample.durationUs);
    }
  }

  /** On to the longer form of this segment, to the next one, or to the end of what the decoder holds. */
  #advance(segment: LoadedSegment): void {
    if (this.#loading !== null) return;
    const { timeline } = this.#options;
    const newest = timeline.newest(segment.entry);
    if (newest.name !== segment.entry.name) {
      if (this.#isDrained) return this.#begin(newest, this.#wantedUs);
      return this.#load(newest, (loaded) => {
        this.#segment = loaded;
      });
    }
    const next = timeline.after(segment.entry);
    if (next.kind === 'unknown') return;
    if (next.kind === 'gap') return this.#isDrained ? undefined : this.#drain(() => undefined);
    this.#load(next.segment, (loaded) => {
      const { video } = loaded.setup;
      if (video && this.#source.isFor(video)) this.#enter(loaded);
      else if (video) {
        this.#drain(() => {
          this.#source.reset(video, { keepsMany: false, isReordered: loaded.isReordered });
          this.#enter(loaded);
        });
      }
    });
  }

  #enter(loaded: LoadedSegment): void {
    this.#segment = loaded;
    this.#index = 0;
    this.#isDrained = false;
  }

  #drain(then: () => void): void {
    if (this.#isFlushing) return;
    this.#isFlushing = true;
    const segment = this.#segment;
    const drained = (): void => {
      if (segment !== this.#segment) return;
      this.#isFlushing = false;
      this.#isDrained = true;
      then();
      this.#options.onReady();
    };
    // `flush` tells what breaks by `onBroken`.
    this.#source.flush().then(drained, drained);
  }

  #take(picture: VideoFrame): void {
    const at = this.#queue.findIndex(({ timestamp }) => timestamp > picture.timestamp);
    if (at < 0) this.#queue.push(picture);
    else this.#queue.splice(at, 0, picture);
    this.#drop(this.#wantedUs);
    this.#options.onReady();
  }

  /** Begins anew with the next look. */
  #broke(error: DOMException): void {
    const entry = this.#segment?.entry;
    this.#clear();
    this.#segment = null;
    if (entry) this.#options.onMissing(entry, error);
  }

  /** Closes what lies before the picture of an instant. */
  #drop(atUs: number): void {
    while (this.#queue.length > 1 && (this.#queue[1] as VideoFrame).timestamp <= atUs) this.#queue.shift()?.close();
  }

  #clear(): void {
    for (const picture of this.#queue) picture.close();
    this.#queue = [];
    this.#isFlushing = false;
    this.#isDrained = false;
  }
}

/** The last keyframe at or before an instant; the first one where none is. */
export function keyframeIndex(pictures: readonly VideoSample[], atUs: number): number {
  let found = 0;
  for (const [index, { atUs: at, isKey }] of pictures.entries()) {
    if (at > atUs) break;
    if (isKey) found = index;
  }
  return found;
}
