// Drags that begin and end in this very page. What is dragged stays in its memory; the browser carries a random word alone,
// so that another window can neither name what it likes by a drag of its own nor read what is dragged across it.
import { randomId } from '../browser/random.ts';

type Transfer = Pick<DataTransfer, 'setData' | 'types' | 'effectAllowed'>;

export interface OwnDrag<T> {
  /** For `dragstart`. */
  readonly begin: (transfer: Transfer, what: T, effect: 'copy' | 'move') => void;
  /** For `dragover` and `drop`: what is dragged, or undefined for anything of another kind or from elsewhere. */
  readonly read: (transfer: Transfer) => T | undefined;
}

/** One at a time: there is one pointer. The word is a type, since types alone can be read while something is dragged. */
let held: { readonly type: string; readonly kind: object; readonly what: unknown } | null = null;

/** Without this a word that another window saw would outlive its drag. A row that went away while it was dragged gives no `dragend`. */
function end(): void {
  held = null;
}
globalThis.addEventListener?.('dragend', end, { capture: true });
globalThis.addEventListener?.('pointerdown', end, { capture: true });

/** A kind of thing that is dragged. Made once, beside those who begin and take it. */
export function ownDrag<T>(): OwnDrag<T> {
  const kind = {};
  return {
    begin: (transfer, what, effect) => {
      held = { type: `application/x-vedette-${randomId()}`, kind, what };
      // An empty value is not carried by every browser.
      transfer.setData(held.type, '1');
      transfer.effectAllowed = effect;
    },
    read: (transfer) =>
      held !== null && held.kind === kind && transfer.types.includes(held.type) ? (held.what as T) : undefined,
  };
}
