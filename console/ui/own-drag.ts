// Drags that begin and end in windows of this console. What is dragged stays in their memory; the browser carries a random word alone,
// so that another page can neither name what it likes by a drag of its own nor read what is dragged across it.
import { systemClock, type Clock } from '@vedette/foundation/time/clock.ts';
import { randomId } from '../browser/random.ts';

type Transfer = Pick<DataTransfer, 'setData' | 'types' | 'effectAllowed'>;

export interface OwnDrag<T> {
  /** For `dragstart`. What is dragged may be several kinds of thing, each begun by its own. */
  readonly begin: (transfer: Transfer, what: T, effect: 'copy' | 'move') => void;
  /** For `dragover` and `drop`: what is dragged, or undefined for anything of another kind or from elsewhere. */
  readonly read: (transfer: Transfer) => T | undefined;
}

/** A kind that other windows of the same account take too. */
export interface SharedKind<T> {
  readonly name: string;
  /** Undefined for what is none: another window may be of another version. */
  readonly parse: (what: unknown) => T | undefined;
}

interface Thing {
  /** Under which the browser carries it. A type, since types alone can be read while something is dragged. */
  readonly type: string;
  readonly what: unknown;
}

type DragMessage =
  | { readonly kind: 'begin'; readonly name: string; readonly thing: Thing; readonly userId: string }
  | { readonly kind: 'end' };

/** The part of BroadcastChannel that is used: the browser gives it to pages of the same origin alone. */
export interface DragChannel {
  postMessage(message: DragMessage): void;
  onmessage: ((event: MessageEvent<DragMessage>) => void) | null;
}

export interface SharedDrags {
  readonly channel: DragChannel;
  /** Who is signed in on this page; empty: nobody. */
  readonly userId: () => string;
  readonly clock?: Clock;
}

/** A window that went away in the middle of its drag tells nobody that it ended. */
const FOREIGN_MS = 60_000;

/** One drag at a time: there is one pointer. By kind. */
const own: { transfer: Transfer | null; readonly things: Map<object, Thing> } = { transfer: null, things: new Map() };
/** Of another window, by the names of kinds. */
const foreign = new Map<string, Thing & { readonly userId: string }>();
let shared: SharedDrags | null = null;
let cancelExpiry: () => void = () => undefined;

/** Without this a word that another page saw would outlive its drag. A row that went away while it was dragged gives no `dragend`. */
function end(): void {
  if (own.transfer !== null) shared?.channel.postMessage({ kind: 'end' });
  own.transfer = null;
  own.things.clear();
}
for (const event of ['dragend', 'pointerdown', 'pagehide'])
  globalThis.addEventListener?.(event, end, { capture: true });

function forgetForeign(): void {
  cancelExpiry();
  foreign.clear();
}

/** From now on what is dragged here is taken by other windows of the same account, and the other way round. */
export function shareDrags(drags: SharedDrags): void {
  shared = drags;
  drags.channel.onmessage = ({ data }) => {
    if (data.kind === 'end') return forgetForeign();
    cancelExpiry();
    cancelExpiry = (drags.clock ?? systemClock).after(FOREIGN_MS, forgetForeign);
    foreign.set(data.name, { ...data.thing, userId: data.userId });
  };
}

/** A kind of thing that is dragged. Made once, beside those who begin and take it. */
export function ownDrag<T>(sharedKind?: SharedKind<T>): OwnDrag<T> {
  const kind = {};
  return {
    begin: (transfer, what, effect) => {
      if (own.transfer !== transfer) end();
      const thing = { type: `application/x-vedette-${randomId()}`, what };
      own.transfer = transfer;
      own.things.set(kind, thing);
      // An empty value is not carried by every browser.
      transfer.setData(thing.type, '1');
      transfer.effectAllowed = effect;
      const userId = shared?.userId() ?? '';
      if (sharedKind === undefined || userId === '') return;
      shared?.channel.postMessage({ kind: 'begin', name: sharedKind.name, thing, userId });
    },
    read: (transfer) => {
      const mine = own.things.get(kind);
      if (mine !== undefined && transfer.types.includes(mine.type)) return mine.what as T;
      const theirs = sharedKind && foreign.get(sharedKind.name);
      if (theirs === undefined || !transfer.types.includes(theirs.type)) return undefined;
      return theirs.userId === shared?.userId() ? sharedKind?.parse(theirs.what) : undefined;
    },
  };
}
