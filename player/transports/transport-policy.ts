// Transport policy of a page: counts the tiles that decode, learns from failures, and tells tiles when to switch.
import type { Decoders } from '../decode/decoder-support.ts';
import type { PlayerClock } from '../core/player-clock.ts';
import type { TransportKind } from './transport.ts';
import { chooseTransport, type TransportChoice } from './transport-choice.ts';
import { freshOf, type MemoryStore, recall, remember, type TransportMemory } from './transport-memory.ts';

export interface TransportPolicyOptions {
  readonly clock: PlayerClock;
  /** Null: nothing is kept over a reload. */
  readonly store: MemoryStore | null;
}

/** One tile that decodes. */
export interface TilePolicy {
  choose(codecString: string, decoders: Decoders): TransportChoice | null;
  setLowLatency(isWanted: boolean): void;
  /** Hidden tiles decode nothing and do not count. */
  setAway(isAway: boolean): void;
  /** Decoding fell behind: fewer tiles may decode this way for a while. */
  lagged(): void;
  /** Whether media may be had straight from this site: not where it failed a while ago, nor by a page that shows many. */
  mayGoDirect(site: string): boolean;
  /** The way straight to this site led nowhere, or was too slow; kept for every tile. */
  directFailed(site: string): void;
  /** The browser refused this codec there after all; kept for every tile. */
  refused(kind: TransportKind, codecString: string): void;
  /** The transport could not show this stream; other streams of the codec may do. */
  failed(kind: TransportKind): void;
  /** Median time from bytes to picture of one frame, ms; tells quick machines from slow ones. */
  measured(decodeMs: number): void;
  leave(): void;
}

interface Sitter {
  isAway: boolean;
  wantsLatency: boolean;
  decodeMs: number | null;
  readonly failed: Set<TransportKind>;
  readonly onChange: () => void;
}

/** Without knowing the machine. */
const QUICK_TILES = 4;
/** On a machine that was measured to be quick. */
const QUICK_TILES_FAST = 9;
/** A frame that is decoded this quickly while several tiles decode leaves room for more of them. */
const FAST_DECODE_MS = 6;
const MEASURED_TILES = 3;
/** A change of layout comes as several changes of the count. */
const SETTLE_MS = 500;

export class TransportPolicy {
  readonly #options: TransportPolicyOptions;
  readonly #sitters = new Set<Sitter>();
  #memory: TransportMemory;
  #isTelling = false;

  constructor(options: TransportPolicyOptions) {
    this.#options = options;
    this.#memory = recall(options.store);
  }

  /** Whether the media socket did not come through a short while ago. */
  get isSocketBlocked(): boolean {
    this.#forget();
    return this.#memory.socketBlockedAt !== null;
  }

  set isSocketBlocked(isBlocked: boolean) {
    if (isBlocked === this.isSocketBlocked) return;
    this.#learn({ ...this.#memory, socketBlockedAt: isBlocked ? this.#options.clock.wallMs() : null });
    this.#tellSoon();
  }

  /** `onChange`: the choice may be another one now. */
  join(onChange: () => void): TilePolicy {
    const sitter: Sitter = { isAway: false, wantsLatency: false, decodeMs: null, failed: new Set(), onChange };
    this.#sitters.add(sitter);
    this.#tellSoon();
    return {
      choose: (codec, decoders) => this.#choose(sitter, codec, decoders),
      setLowLatency: (isWanted) => {
        if (sitter.wantsLatency === isWanted) return;
        sitter.wantsLatency = isWanted;
        sitter.onChange();
      },
      setAway: (isAway) => {
        if (sitter.isAway === isAway) return;
        sitter.isAway = isAway;
        sitter.decodeMs = null;
        this.#tellSoon();
      },
      lagged: () => this.#learnQuickTiles(Math.max(0, Math.min(this.#quickTiles(), this.#count()) - 1)),
      mayGoDirect: (site) => {
        this.#forget();
        return !this.#refusedBy(site).includes('webrtc') && this.#count() <= QUICK_TILES;
      },
      directFailed: (site) => this.#learnFailure('webrtc', site),
      refused: (kind, codec) => this.#learnFailure(kind, codec),
      failed: (kind) => sitter.failed.add(kind),
      measured: (decodeMs) => this.#measured(sitter, decodeMs),
      leave: () => {
        this.#sitters.delete(sitter);
        this.#tellSoon();
      },
    };
  }

  #choose(sitter: Sitter, codec: string, decoders: Decoders): TransportChoice | null {
    this.#forget();
    const quickTiles = this.#quickTiles();
    return chooseTransport({
      decoders,
      tiles: this.#count(),
      quickTiles,
      hasLagged: quickTiles < QUICK_TILES,
      wantsLatency: sitter.wantsLatency,
      isSocketBlocked: this.#memory.socketBlockedAt !== null,
      failed: new Set([...sitter.failed, ...this.#refusedBy(codec)]),
    });
  }

  #refusedBy(codec: string): TransportKind[] {
    return this.#memory.failures.filter((one) => one.codec === codec).map(({ kind }) => kind);
  }

  #count(): number {
    return [...this.#sitters].filter(({ isAway }) => !isAway).length;
  }

  #quickTiles(): number {
    return this.#memory.quickTiles?.count ?? QUICK_TILES;
  }

  #measured(sitter: Sitter, decodeMs: number): void {
    sitter.decodeMs = decodeMs;
    if (this.#quickTiles() !== QUICK_TILES) return;
    const measured = [...this.#sitters].flatMap((one) => (one.decodeMs === null ? [] : [one.decodeMs]));
    if (measured.length < MEASURED_TILES || Math.max(...measured) > FAST_DECODE_MS) return;
    this.#learnQuickTiles(QUICK_TILES_FAST);
  }

  #learnQuickTiles(count: number): void {
    this.#learn({ ...this.#memory, quickTiles: { count, at: this.#options.clock.wallMs() } });
    this.#tellSoon();
  }

  #learnFailure(kind: TransportKind, codec: string): void {
    const others = this.#memory.failures.filter((one) => one.kind !== kind || one.codec !== codec);
    this.#learn({ ...this.#memory, failures: [...others, { kind, codec, at: this.#options.clock.wallMs() }] });
  }

  #learn(memory: TransportMemory): void {
    this.#memory = memory;
    remember(this.#options.store, memory);
  }

  /** What was learned long ago is tried again. */
  #forget(): void {
    this.#memory = freshOf(this.#memory, this.#options.clock.wallMs());
  }

  #tellSoon(): void {
    if (this.#isTelling) return;
    this.#isTelling = true;
    this.#options.clock.after(SETTLE_MS, () => {
      this.#isTelling = false;
      for (const { onChange } of this.#sitters) onChange();
    });
  }
}
