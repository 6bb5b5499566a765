// Loads and decodes single keyframes, for speeds above four and for thumbnails; the newest request goes first.
import type { SegmentEntry } from './fragment-index.ts';
import { PictureSource } from './picture-source.ts';
import type { LoadedKey, SegmentStore } from './segment-store.ts';

export interface KeyPicturesOptions {
  readonly store: SegmentStore;
  readonly onUnsupported: (codec: string) => void;
  /** A key picture did not come, or can't be decoded. */
  readonly onMissing: (entry: SegmentEntry, error: unknown) => void;
  readonly onReady: () => void;
}

const KEPT = 6;
/** Fetched at once. */
const FETCHES = 3;

export class KeyPictures {
  readonly #options: KeyPicturesOptions;
  readonly #source: PictureSource;
  /** By segment id, oldest first. */
  readonly #pictures = new Map<string, VideoFrame>();
  readonly #fetches = new Map<string, AbortController>();
  #loaded: LoadedKey[] = [];
  #decoding: LoadedKey | null = null;

  constructor(options: KeyPicturesOptions) {
    this.#options = options;
    this.#source = new PictureSource({
      onPicture: (picture) => this.#take(picture),
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
    return this.#pictures.get(id) ?? null;
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
    for (const picture of this.#pictures.values()) picture.close();
    this.#pictures.clear();
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
    const { picture } = loaded.setup;
    if (!picture) return this.#options.onUnsupported(loaded.setup.tracks[0]?.sampleEntry ?? '');
    this.#decoding = loaded;
    if (!this.#source.isFor(picture)) this.#source.reset(picture, { keepsMany: true, isReordered: false });
    this.#source.decode(loaded.picture);
    const done = (): void => {
      if (this.#decoding !== loaded) return;
      this.#decoding = null;
      if (!this.#pictures.has(loaded.entry.id)) this.#options.onMissing(loaded.entry, null);
      this.#next();
    };
    this.#source.flush().then(done, done);
  }

  #take(picture: VideoFrame): void {
    const id = this.#decoding?.entry.id;
    if (id === undefined) return picture.close();
    this.#pictures.get(id)?.close();
    this.#pictures.set(id, picture);
    for (const [oldest, kept] of this.#pictures) {
      if (this.#pictures.size <= KEPT) break;
      kept.close();
      this.#pictures.delete(oldest);
    }
    this.#options.onReady();
  }
}
