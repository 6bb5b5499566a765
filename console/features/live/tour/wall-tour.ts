// A tour of the wall: page after page, each for its dwell, the next one warm before it is shown. Told to hold, it waits.
import type { Clock } from '@vedette/foundation/time/clock.ts';
import type { WallContent } from '../wall/wall-model.ts';

export interface TourPage {
  readonly name: string;
  readonly content: WallContent;
}

/** Why a page is held: somebody looks at it closely or asked for it, or an alarm is shown on it. */
export type HoldReason = 'pointer' | 'asked' | 'alarm';

export interface TourBeginning {
  readonly at: number;
  readonly reasons: readonly HoldReason[];
}

export type TourState =
  | { readonly kind: 'off' }
  | {
      readonly kind: 'running';
      readonly at: number;
      readonly pages: readonly TourPage[];
      readonly dwellMs: number;
      /** Of the page on screen, at `since`. */
      readonly leftMs: number;
      /** Milliseconds since 1970 UTC. */
      readonly since: number;
    }
  | {
      readonly kind: 'held';
      readonly at: number;
      readonly pages: readonly TourPage[];
      readonly dwellMs: number;
      readonly leftMs: number;
      readonly reasons: readonly HoldReason[];
    };

export interface WallTourOptions {
  readonly clock: Clock;
  readonly show: (content: WallContent) => void;
  readonly warm: (content: WallContent) => void;
  readonly cool: () => void;
  /** Whether every warm tile has a picture, or says why it has none. */
  readonly isReady: () => boolean;
  readonly onState: (state: TourState) => void;
}

/** Time for the next page's pictures to come, ms. */
const WARM_AHEAD_MS = 4000;
/** A page whose pictures are late is waited for, but not for ever, ms. */
const LATE_MAX_MS = 5000;
const LATE_CHECK_MS = 200;

type ActiveState = Exclude<TourState, { kind: 'off' }>;

export class WallTour {
  readonly #options: WallTourOptions;
  #state: TourState = { kind: 'off' };
  #cancel: (() => void) | null = null;

  constructor(options: WallTourOptions) {
    this.#options = options;
  }

  /** `pages` must not be empty. `from`: where a tour left off that goes on. */
  start(pages: readonly TourPage[], dwellMs: number, from: TourBeginning = { at: 0, reasons: [] }): void {
    this.#turnTo({ pages, dwellMs }, Math.min(from.at, pages.length - 1), from.reasons);
  }

  /** The page on screen stays there. */
  stop(): void {
    this.#stopTimer();
    if (this.#state.kind === 'off') return;
    this.#options.cool();
    this.#set({ kind: 'off' });
  }

  hold(reason: HoldReason): void {
    const state = this.#state;
    if (state.kind === 'off') return;
    if (state.kind === 'held') {
      if (!state.reasons.includes(reason)) this.#set({ ...state, reasons: [...state.reasons, reason] });
      return;
    }
    this.#stopTimer();
    const { at, pages, dwellMs } = state;
    this.#set({ kind: 'held', at, pages, dwellMs, leftMs: this.#left(state), reasons: [reason] });
  }

  /** Goes on once no reason to hold is left. */
  release(reason: HoldReason): void {
    const state = this.#state;
    if (state.kind !== 'held') return;
    const reasons = state.reasons.filter((one) => one !== reason);
    if (reasons.length > 0) return this.#set({ ...state, reasons });
    const { at, pages, dwellMs, leftMs } = state;
    this.#run({ kind: 'running', at, pages, dwellMs, leftMs, since: this.#options.clock.wallMs() });
  }

  /** By hand, at once; what was held stays held on the other page. */
  step(by: 1 | -1): void {
    const state = this.#state;
    if (state.kind === 'off') return;
    const at = (state.at + by + state.pages.length) % state.pages.length;
    this.#turnTo(state, at, state.kind === 'held' ? state.reasons : []);
  }

  #turnTo(
    { pages, dwellMs }: Pick<ActiveState, 'pages' | 'dwellMs'>,
    at: number,
    reasons: readonly HoldReason[],
  ): void {
    this.#stopTimer();
    const page = pages[at];
    if (page === undefined) throw new RangeError('a tour without that page');
    this.#options.show(page.content);
    const common = { at, pages, dwellMs, leftMs: dwellMs };
    if (reasons.length > 0) this.#set({ kind: 'held', ...common, reasons });
    else this.#run({ kind: 'running', ...common, since: this.#options.clock.wallMs() });
  }

  #run(state: Extract<TourState, { kind: 'running' }>): void {
    this.#set(state);
    // One page alone has nothing to turn to.
    if (state.pages.length < 2) return;
    const { clock } = this.#options;
    this.#cancel = clock.after(Math.max(0, state.leftMs - WARM_AHEAD_MS), () => {
      this.#options.warm(this.#next(state).content);
      this.#cancel = clock.after(this.#left(state), () => this.#turnWhenReady(state, 0));
    });
  }

  #turnWhenReady(state: ActiveState, lateMs: number): void {
    if (lateMs < LATE_MAX_MS && !this.#options.isReady()) {
      const { clock } = this.#options;
      this.#cancel = clock.after(LATE_CHECK_MS, () => this.#turnWhenReady(state, lateMs + LATE_CHECK_MS));
      return;
    }
    this.#turnTo(state, (state.at + 1) % state.pages.length, []);
  }

  #next({ at, pages }: ActiveState): TourPage {
    return pages[(at + 1) % pages.length] as TourPage;
  }

  #left(state: Extract<TourState, { kind: 'running' }>): number {
    return Math.max(0, state.leftMs - (this.#options.clock.wallMs() - state.since));
  }

  #stopTimer(): void {
    this.#cancel?.();
    this.#cancel = null;
  }

  #set(state: TourState): void {
    this.#state = state;
    this.#options.onState(state);
  }
}

/** Channels cut into pages of `content.split` windows. */
export function pagesOf(
  name: string,
  split: WallContent['split'],
  channels: readonly { readonly deviceSerial: string; readonly channelNo: number }[],
): TourPage[] {
  const pages: TourPage[] = [];
  for (let from = 0; from < channels.length; from += split) {
    const tiles = channels.slice(from, from + split).map((channel, position) => ({ ...channel, position }));
    pages.push({ name, content: { split, tiles } });
  }
  return pages;
}
