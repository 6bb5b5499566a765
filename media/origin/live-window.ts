// The newest segments and parts of a live stream, made once for all viewers of its Low-Latency HLS.
import type { PlaylistEdge } from '@vedette/protocols/hls/delivery-directives.ts';
import { type LowLatencyPlaylist, segmentSeconds } from '@vedette/protocols/hls/low-latency-playlist.ts';
import { withoutAudio } from '../playback/encoded-audio/hls-init.ts';
import { type Fragment, letGo, type Run } from '../recorder/fragment.ts';
import { Fragmenter } from '../recorder/fragmenter.ts';
import type { AccessUnit, DiscontinuityReason, MediaFormat, SourceState, StreamConsumer } from '../stream/stream.ts';
import { type Part, partOf, partTargetOf } from './part.ts';

/** No segment is longer; one that lasts this long ends before the next keyframe. */
const TARGET_SECONDS = 4;
/** A segment ends with the first keyframe behind this. */
const LEAST_SECONDS = 1.5;
/** Listed: a delta update may leave out what is older than six target durations. */
const LISTED_SECONDS = 36;
/** Segments can be fetched a little longer than they are listed. */
const KEPT_MORE = 4;
const WINDOW_MAX_BYTES = 64 * 1024 * 1024;
/** What a part must reach of the longest one, unless it is the last of its segment. */
const PART_LEAST = 0.85;

interface Segment {
  readonly number: number;
  readonly wallMs: number;
  readonly init: number;
  readonly isBreak: boolean;
  readonly parts: Part[];
  isWhole: boolean;
}

export interface LiveWindowOptions {
  readonly monotonicMs: () => number;
  /** Milliseconds since 1970 at its start: begins the numbers, so that those of a later start are higher. */
  readonly startMs: number;
  /** Called with each part. */
  readonly onPart: () => void;
}

export class LiveWindow implements StreamConsumer {
  /** Parts are copies. */
  readonly holdsSlabs = true;
  readonly #options: LiveWindowOptions;
  readonly #fragmenter: Fragmenter;
  /** In every name: caches keep what an earlier start has named. */
  readonly #epoch: string;
  readonly #inits = new Map<number, Buffer>();
  #segments: Segment[] = [];
  #nextSegment: number;
  #nextPart = 0;
  #run: Run | null = null;
  #initNumber = 0;
  #partTargetSeconds = 0;
  #breaksBefore = 0;

  constructor(options: LiveWindowOptions) {
    this.#options = options;
    const startS = Math.floor(options.startMs / 1000);
    this.#epoch = startS.toString(36);
    this.#nextSegment = startS;
    let runs = 0;
    this.#fragmenter = new Fragmenter({
      monotonicMs: options.monotonicMs,
      newRunId: () => {
        runs += 1;
        return runs;
      },
      emit: (fragment) => this.#add(fragment),
      drop: () => undefined,
    });
  }

  /** A player has enough to begin with. */
  get isReady(): boolean {
    return this.#segments[0]?.isWhole === true;
  }

  get edge(): PlaylistEdge {
    const { number = 0, parts = [], isWhole = false } = this.#segments.at(-1) ?? {};
    return { segment: number, parts: parts.length, isWhole, partTargetSeconds: this.#partTargetSeconds };
  }

  playlist(): LowLatencyPlaylist {
    const from = this.#firstListed();
    const breaks = this.#segments.slice(0, from + 1).filter((one) => one.isBreak).length;
    return {
      segments: this.#segments.slice(from).map(({ parts, init, isWhole, ...segment }) => ({
        ...segment,
        initUri: this.#name('i', init),
        uri: isWhole ? this.#name('s', segment.number) : null,
        parts: parts.map(({ number, ...part }) => ({ ...part, uri: this.#name('p', number) })),
      })),
      breaksBefore: this.#breaksBefore + breaks,
      targetSeconds: TARGET_SECONDS,
      partTargetSeconds: this.#partTargetSeconds,
      hintUri: this.#name('p', this.#nextPart),
    };
  }

  /** `next`: the part that a playlist hints at, which is not there yet. Null: there is no such file, or it is gone. */
  file(name: string): readonly Buffer[] | 'next' | null {
    const [, epoch, kind, digits] = /^([0-9a-z]{1,9})-([isp])(\d{1,15})\.(?:mp4|m4s)$/.exec(name) ?? [];
    const number = Number(digits);
    if (epoch !== this.#epoch || kind === undefined || this.#name(kind, number) !== name) return null;
    if (kind === 'i') {
      const init = this.#inits.get(number);
      return init === undefined ? null : [init];
    }
    if (kind === 's') {
      const segment = this.#segments.find((one) => one.number === number);
      return segment?.isWhole === true ? segment.parts.map(({ bytes }) => bytes) : null;
    }
    return number === this.#nextPart ? 'next' : this.#part(number);
  }

  /** Call about four times a second. */
  tick(): void {
    this.#fragmenter.tick();
  }

  format(format: MediaFormat): void {
    this.#fragmenter.format(format);
  }

  accessUnit(unit: AccessUnit): void {
    this.#fragmenter.accessUnit(unit);
  }

  discontinuity(reason: DiscontinuityReason): void {
    this.#fragmenter.discontinuity(reason);
  }

  state(state: SourceState): void {
    if (state.state !== 'playing') this.#fragmenter.flush();
  }

  #name(kind: string, number: number): string {
    return `${this.#epoch}-${kind}${number}.${kind === 'i' ? 'mp4' : 'm4s'}`;
  }

  #part(number: number): readonly Buffer[] | null {
    for (const { parts } of this.#segments.toReversed()) {
      const found = parts.find((part) => part.number === number);
      if (found !== undefined) return [found.bytes];
    }
    return null;
  }

  #add(fragment: Fragment): void {
    this.#partTargetSeconds ||= partTargetOf(fragment);
    let open = this.#segments.at(-1);
    if (open !== undefined && endsBefore(open, fragment)) open.isWhole = true;
    if (open === undefined || open.isWhole) open = this.#begin(fragment);
    const part = partOf(fragment, this.#nextPart, this.#partTargetSeconds);
    letGo(fragment);
    this.#nextPart += 1;
    open.parts.push(part);
    const isShort = part.seconds < PART_LEAST * this.#partTargetSeconds;
    if (isShort || segmentSeconds(open) + this.#partTargetSeconds > TARGET_SECONDS) open.isWhole = true;
    this.#trim();
    this.#options.onPart();
  }

  #begin(fragment: Fragment): Segment {
    if (fragment.run !== this.#run) this.#startRun(fragment.run);
    const segment = {
      number: this.#nextSegment,
      wallMs: fragment.wallMs,
      init: this.#initNumber,
      isBreak: fragment.isDiscontinuity && this.#segments.length > 0,
      parts: [],
      isWhole: false,
    };
    this.#nextSegment += 1;
    this.#segments.push(segment);
    return segment;
  }

  #startRun(run: Run): void {
    this.#run = run;
    this.#initNumber += 1;
    this.#inits.set(this.#initNumber, run.audio === 'g711' ? withoutAudio(run.init) : run.init);
  }

  #firstListed(): number {
    let seconds = 0;
    for (let at = this.#segments.length - 1; at > 0; at -= 1) {
      seconds += segmentSeconds(this.#segments[at] as Segment);
      if (seconds >= LISTED_SECONDS) return at;
    }
    return 0;
  }

  #trim(): void {
    let most = this.#firstListed() - KEPT_MORE;
    let held = this.#segments.flatMap(({ parts }) => parts).reduce((sum, { bytes }) => sum + bytes.length, 0);
    while (this.#segments.length > 1 && (most > 0 || held > WINDOW_MAX_BYTES)) {
      const gone = this.#segments.shift() as Segment;
      most -= 1;
      held -= gone.parts.reduce((sum, { bytes }) => sum + bytes.length, 0);
      if (gone.isBreak) this.#breaksBefore += 1;
    }
    const oldest = this.#segments[0]?.init ?? 0;
    for (const number of this.#inits.keys()) if (number < oldest) this.#inits.delete(number);
  }
}

function endsBefore(open: Segment, { isKey, isDiscontinuity }: Fragment): boolean {
  return isDiscontinuity || (isKey && segmentSeconds(open) >= LEAST_SECONDS);
}
