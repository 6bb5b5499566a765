// Loads and decodes single keyframes, for speeds above four and for thumbnails; the newest request goes first.
import type { SegmentEntry } from '../segments/fragment-index.ts';
import { FrameSource } from './frame-source.ts';
import type { LoadedKeyframe, SegmentStore } from '../segments/segment-store.ts';

export interface KeyframeLoaderOptions {
  readonly store: SegmentStore;
  readonly onUnsupported: (codec: string) => void;
  /** A keyframe did not come, or can't be decoded. */
  readonly onMissing: (entry: SegmentEntry, error: unknown) => void;
  readonly onReady: () => void;
}

const KEPT = 6;
/** Fetched at once. */
const FETCHES = 3;

export class KeyframeLoader {
  readonly #options: KeyframeLoaderOptions;
  readonly #source: FrameSource;
  /** By segment id, oldest first. */
  readonly #frames = new Map<string, VideoFrame>();
  readonly #fetches = new Map<string, AbortController>();
  #loaded: LoadedKeyframe[] = [];
  #decoding: LoadedKeyframe | null = null;

  constructor(options: KeyframeLoaderOptions) {
    this.#options = options;
    this.#source = new FrameSource({
      onFrame: (picture) => this.#take(picture),
      onUnsupported: options.onUnsupported,
      // What it ends with tells that nothing came.
      onBroken: () => undefined,
    });
  }

  /** The picture where it is there; fetched else. It stays with this object. */
  get(entry: SegmentEntry): VideoFrame | null {
    const known = this.peek(entry);
    if (known) return known;
    const isUnderWay =
      this.#fetches.has(entry.id) ||
      this.#decoding?.entry.id === entry.id ||
      this.#loaded.some((one) => one.entry.id === entry.id);
    if (!isUnderWay && this.#fetches.size < FETCHES) this.#fetch(entry);
    return null;
  }

  /** Without asking for it. It stays with this object. */
  peek({ id }: SegmentEntry): VideoFrame | null {
    return this.#frames.get(id) ?? null;
  }

  /**
   * What was asked for and is not wanted any more is not fetched to its end. `keepsFirst`: except for what was asked for
   * first, where wishes change faster than a slow line answers.
   */
  cancel(isWanted: (id: string) => boolean, keepsFirst = false): void {
    const [first] = this.#fetches.keys();
    for (const [id, fetching] of this.#fetches) {
      if (isWanted(id) || (keepsFirst && id === first)) continue;
      fetching.abort();
      this.#fetches.delete(id);
    }
    this.#loaded = this.#loaded.filter(({ entry }) => isWanted(entry.id) || (keepsFirst && entry.id === first));
  }

  stop(): void {
    this.cancel(() => false);
    for (const picture of this.#frames.values()) picture.close();
    this.#frames.clear();
    this.#decoding = null;
    this.#source.close();
  }

  #fetch(entry: SegmentEntry): void {
    const fetching = new AbortController();
    this.#fetches.set(entry.id, fetching);
    const isMine = (): boolean => this.#fetches.get(entry.id) === fetching;
    this.#options.store.key(entry, fetching.signal).then(
      (loaded) => {
        if (!isMine()) return;
        this.#fetches.delete(entry.id);
        this.#loaded.push(loaded);
        this.#next();
      },
      (error: unknown) => {
        if (!isMine()) return;
        this.#fetches.delete(entry.id);
        this.#options.onMissing(entry, error);
      },
    );
  }

  #next(): void {
    if (this.#decoding) return;
    const loaded = this.#loaded.pop();
    if (!loaded) return;
    const { video } = loaded.setup;
    if (!video) return this.#options.onUnsupported(loaded.setup.tracks[0]?.sampleEntry ?? '');
    this.#decoding = loaded;
    if (!this.#source.isFor(video)) this.#source.reset(video, { keepsMany: true, isReordered: false });
    this.#source.decode(loaded.picture);
    const done = (): void => {
      if (this.#decoding !== loaded) return;
      this.#decoding = null;
      if (!this.#frames.has(loaded.entry.id)) this.#options.onMissing(loaded.entry, null);
      this.#next();
    };
    this.#source.flush().then(done, done);
  }

  #take(picture: VideoFrame): void {
    const id = this.#decoding?.entry.id;
    if (id === undefined) return picture.close();
    this.#frames.get(id)?.close();
    this.#frames.set(id, picture);
    for (const [oldest, kept] of this.#frames) {
      if (this.#frames.size <= KEPT) break;
      kept.close();
      this.#frames.delete(oldest);
    }
    this.#options.onReady();
  }
}
