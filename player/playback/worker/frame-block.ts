// A bounded block of decoded frames, for reverse playback and single steps, whatever the length of the GOP.
import type { SegmentEntry } from '../segments/fragment-index.ts';
import type { FragmentTimeline } from '../segments/fragment-timeline.ts';
import type { VideoSample } from '../segments/fragment-samples.ts';
import { keyframeIndex } from './decode-pipeline.ts';
import { FrameSource } from './frame-source.ts';
import type { LoadedSegment, SegmentStore } from '../segments/segment-store.ts';

export interface FrameBlockOptions {
  readonly timeline: FragmentTimeline;
  readonly store: SegmentStore;
  /** Bytes of decoded pictures that may be held, of all blocks together. */
  readonly budgetBytes: () => number;
  readonly onUnsupported: (codec: string) => void;
  readonly onMissing: (entry: SegmentEntry, error: unknown) => void;
  readonly onReady: () => void;
}

/** Pictures `[from, to)` of a segment in the order they are shown. */
interface Block {
  readonly entry: SegmentEntry;
  readonly fromUs: number;
  /** Up to, not including. */
  readonly toUs: number;
  /** Nothing of the segment lies before it, or behind it. */
  readonly isFirst: boolean;
  readonly isLast: boolean;
  /** Capture instants of its pictures. */
  readonly timesUs: readonly number[];
  readonly frames: VideoFrame[];
  isWhole: boolean;
}

/** A block on its way: what it was begun for is decoded and drawn before the rest of it. */
interface PendingBlock {
  readonly block: Block;
  readonly samples: readonly VideoSample[];
  /** Capture instant of the picture that it was begun for. */
  readonly askedUs: number | undefined;
  next: number;
  /** So many samples are fed for now. */
  limit: number;
  isShown: boolean;
  isFed: boolean;
}

type BlockRange = Pick<Block, 'fromUs' | 'toUs' | 'isFirst' | 'isLast' | 'timesUs'>;

interface Wish {
  readonly entry: SegmentEntry;
  readonly atUs: number;
  readonly direction: 1 | -1;
}

const FEWEST = 6;
const MOST = 120;
/** Fed at once, so that a wish for another place is not late. */
const PENDING_MAX = 12;

export class FrameBlocks {
  readonly #options: FrameBlockOptions;
  readonly #source: FrameSource;
  #blocks: Block[] = [];
  #filling: PendingBlock | null = null;
  #loading: string | null = null;
  #wish: Wish | null = null;

  constructor(options: FrameBlockOptions) {
    this.#options = options;
    this.#source = new FrameSource({
      onFrame: (picture) => this.#take(picture),
      onUnsupported: options.onUnsupported,
      onBroken: (error) => this.#broke(error),
      onHungry: () => this.#feedOneMore(),
    });
  }

  /** The picture of an instant; null while it is being decoded. The block keeps it. */
  frameAt(entry: SegmentEntry, atUs: number, direction: 1 | -1): VideoFrame | null {
    this.#wish = { entry, atUs, direction };
    const block = this.#blocks.find((one) => covers(one, entry, atUs));
    const picture = block ? shownAt(block, atUs) : null;
    if (!block) this.#decode(entry, atUs, direction);
    else if (block.isWhole) this.#lookAhead(block, atUs, direction);
    else this.#feedRest(block, atUs);
    return picture;
  }

  /** Capture instant of the picture before or after the one at an instant; null while it is not known. µs. */
  async neighbour(entry: SegmentEntry, atUs: number, direction: 1 | -1): Promise<number | null> {
    const times = await this.#times(entry);
    const own = times.findLastIndex((at) => at <= atUs);
    const next = times[Math.max(own, 0) + direction];
    if (next !== undefined) return next;
    const beside = direction === 1 ? this.#options.timeline.after(entry) : this.#options.timeline.before(entry);
    if (beside.kind === 'segment') return (await this.#times(beside.segment)).at(direction === 1 ? 0 : -1) ?? null;
    if (beside.kind === 'unknown') return null;
    // Over a gap: the first picture behind it, the last before it.
    const edge = direction === 1 ? beside.to : beside.from;
    return edge === null ? null : (edge - (direction === 1 ? 0 : 1)) * 1000;
  }

  stop(): void {
    this.#wish = null;
    this.#loading = null;
    this.#filling = null;
    for (const block of this.#blocks) release(block);
    this.#blocks = [];
    this.#source.close();
  }

  async #times(entry: SegmentEntry): Promise<number[]> {
    const { video } = await this.#options.store.segment(entry);
    return video.map(({ atUs }) => atUs).toSorted((a, b) => a - b);
  }

  /** Decodes what comes next in the direction of travel once half of this block is passed. */
  #lookAhead(block: Block, atUs: number, direction: 1 | -1): void {
    if (this.#filling || this.#loading !== null) return;
    const half = (block.fromUs + block.toUs) / 2;
    if (direction === 1 ? atUs < half : atUs > half) return;
    if (direction === 1 ? !block.isLast : !block.isFirst) {
      return this.#decodeUnlessHeld(block.entry, direction === 1 ? block.toUs : block.fromUs - 1, direction);
    }
    const { timeline } = this.#options;
    const beside = direction === 1 ? timeline.after(block.entry) : timeline.before(block.entry);
    if (beside.kind !== 'segment') return;
    const { segment } = beside;
    this.#decodeUnlessHeld(segment, (direction === 1 ? segment.startMs : segment.endMs) * 1000, direction);
  }

  #decodeUnlessHeld(entry: SegmentEntry, wantedUs: number, direction: 1 | -1): void {
    if (!this.#blocks.some((one) => covers(one, entry, wantedUs))) this.#decode(entry, wantedUs, direction);
  }

  #decode(entry: SegmentEntry, atUs: number, direction: 1 | -1): void {
    if (this.#loading === entry.id) return;
    const filling = this.#filling;
    if (filling && covers(filling.block, entry, atUs)) return;
    this.#loading = entry.id;
    this.#options.store.segment(entry).then(
      (loaded) => {
        if (this.#loading !== entry.id) return;
        this.#loading = null;
        this.#start(loaded, atUs, direction);
      },
      (error: unknown) => {
        if (this.#loading !== entry.id) return;
        this.#loading = null;
        this.#options.onMissing(entry, error);
      },
    );
  }

  #start(loaded: LoadedSegment, atUs: number, direction: 1 | -1): void {
    const { video, setup, entry } = loaded;
    if (!setup.video) {
      return this.#options.onUnsupported(setup.tracks[0]?.sampleEntry ?? '');
    }
    const range = this.#range(loaded, atUs, direction);
    if (!range) return this.#options.onMissing(entry, null);
    if (this.#filling) this.#dropBlock(this.#filling.block);
    const block: Block = { entry, ...range, frames: [], isWhole: false };
    this.#makeRoom(block);
    this.#source.reset(setup.video, { keepsMany: true, isReordered: loaded.isReordered });
    const samples = samplesFor(video, block);
    const askedUs = nameAt(block, atUs);
    const wish = this.#wish;
    // What is decoded ahead is wanted whole.
    const isAsked = wish !== null && covers(block, wish.entry, wish.atUs);
    const limit = isAsked ? samples.findIndex((sample) => sample.atUs === askedUs) + 1 : samples.length;
    this.#filling = { block, samples, askedUs, next: 0, limit, isShown: false, isFed: false };
    this.#feed();
  }

  #feed(): void {
    const filling = this.#filling;
    if (!filling) return;
    const { block, samples } = filling;
    while (filling.next < Math.min(filling.limit, samples.length) && this.#source.pending < PENDING_MAX) {
      this.#source.decode(samples[filling.next++] as VideoSample);
    }
    if (filling.next < samples.length || filling.isFed) return;
    filling.isFed = true;
    this.#source.flush().then(
      () => {
        if (this.#filling !== filling) return;
        this.#filling = null;
        block.isWhole = true;
        if (block.frames.length > 0) return this.#options.onReady();
        this.#dropBlock(block);
        this.#options.onMissing(block.entry, null);
      },
      () => undefined,
    );
  }

  /** The decoder kept back the picture that was asked for: it hands it out when more follows. */
  #feedOneMore(): void {
    const filling = this.#filling;
    if (!filling || filling.next < filling.limit || filling.limit >= filling.samples.length) return;
    if (filling.block.frames.some(({ timestamp }) => timestamp === filling.askedUs)) return;
    filling.limit++;
    this.#feed();
  }

  /** A frame after the picture that was asked for was drawn: decoding, drawing and the page share the processor. */
  #feedRest(block: Block, atUs: number): void {
    const filling = this.#filling;
    if (filling?.block !== block || filling.limit >= filling.samples.length) return;
    const isAsked = nameAt(block, atUs) === filling.askedUs;
    if (isAsked && shownAt(block, atUs) === null) return;
    if (isAsked && !filling.isShown) {
      filling.isShown = true;
      return this.#options.onReady();
    }
    filling.limit = filling.samples.length;
    this.#feed();
  }

  /** As many pictures as may be held, most of them in the direction of travel. */
  #range({ video, setup }: LoadedSegment, atUs: number, direction: 1 | -1): BlockRange | null {
    const times = video.map((sample) => sample.atUs).toSorted((a, b) => a - b);
    const { codedWidth = 0, codedHeight = 0 } = setup.video ?? {};
    // 4:2:0 with 8 bits; one block is shown while the next is decoded.
    const each = Math.max(1, codedWidth * codedHeight * 1.5);
    const count = Math.min(MOST, Math.max(FEWEST, Math.floor(this.#options.budgetBytes() / 2 / each)));
    const own = Math.max(
      0,
      times.findLastIndex((at) => at <= atUs),
    );
    const behind = Math.floor(count / 8);
    const from = Math.max(0, Math.min(times.length - count, direction === 1 ? own - behind : own - count + 1 + behind));
    const fromUs = times[from];
    const toUs = times[from + count];
    if (fromUs === undefined) return null;
    const isLast = toUs === undefined;
    const timesUs = times.slice(from, from + count);
    return { fromUs, toUs: toUs ?? (times.at(-1) ?? fromUs) + 1, isFirst: from === 0, isLast, timesUs };
  }

  /** Two blocks at most: the one on screen and the new one. */
  #makeRoom(block: Block): void {
    const wish = this.#wish;
    const shown = wish ? this.#blocks.find((one) => covers(one, wish.entry, wish.atUs)) : undefined;
    for (const one of this.#blocks) if (one !== shown) release(one);
    this.#blocks = shown ? [shown, block] : [block];
  }

  #broke(error: DOMException): void {
    const block = this.#filling?.block;
    if (!block) return;
    this.#dropBlock(block);
    this.#options.onMissing(block.entry, error);
  }

  #dropBlock(block: Block): void {
    release(block);
    this.#blocks = this.#blocks.filter((one) => one !== block);
    this.#filling = null;
  }

  #take(picture: VideoFrame): void {
    const block = this.#filling?.block;
    const { timestamp } = picture;
    if (!block || timestamp < block.fromUs || timestamp >= block.toUs) picture.close();
    else {
      const at = block.frames.findIndex((one) => one.timestamp > timestamp);
      block.frames.splice(at < 0 ? block.frames.length : at, 0, picture);
    }
    this.#feed();
    this.#options.onReady();
  }
}

/** What a picture shows lasts until the next one: the last block of a segment reaches to its end. */
function covers({ entry, fromUs, toUs, isFirst, isLast }: Block, of: SegmentEntry, atUs: number): boolean {
  return entry.name === of.name && (isFirst || atUs >= fromUs) && (isLast || atUs < toUs);
}

/** Capture instant of the picture that shows an instant. */
function nameAt({ timesUs }: Block, atUs: number): number | undefined {
  return timesUs.findLast((at) => at <= atUs) ?? timesUs[0];
}

/** Null while it is not decoded. Of one that the decoder did not hand out, the picture before it stands. */
function shownAt(block: Block, atUs: number): VideoFrame | null {
  const name = nameAt(block, atUs);
  const own = block.frames.find(({ timestamp }) => timestamp === name);
  if (own || !block.isWhole) return own ?? null;
  return block.frames.findLast(({ timestamp }) => timestamp <= atUs) ?? block.frames[0] ?? null;
}

function samplesFor(pictures: readonly VideoSample[], { fromUs, toUs }: Block): readonly VideoSample[] {
  const lastNeeded = pictures.findLastIndex(({ atUs }) => atUs < toUs);
  return pictures.slice(keyframeIndex(pictures, fromUs), lastNeeded + 1);
}

function release(block: Block): void {
  for (const picture of block.frames) picture.close();
  block.frames.length = 0;
}
