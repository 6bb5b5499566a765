// Cards of the home page: which are shown, their icons, and the order of the account (WG-01, WG-02).
import type { CardMenuItem } from '@vedette/contract/entities.ts';

export type Card = CardMenuItem;

/** An address of its own replaces the one that is built. */
export function iconAddress(imageBase: string, card: Pick<Card, 'linkId' | 'imgUrl'>): string {
  return card.imgUrl === '' ? `${imageBase}${card.linkId}.png` : card.imgUrl;
}

/** Cards that the order does not name follow in their own order. */
export function orderedCards<C extends Pick<Card, 'linkId'>>(cards: readonly C[], order: readonly string[]): C[] {
  const placeOf = (card: C): number => {
    const place = order.indexOf(card.linkId);
    return place < 0 ? order.length : place;
  };
  return [...cards].sort((one, other) => placeOf(one) - placeOf(other));
}

/** The new list with one card before another, or at the end (−1). */
export function movedCard<C>(cards: readonly C[], from: number, before: number): C[] {
  const card = cards[from];
  if (card === undefined) return [...cards];
  const rest = cards.toSpliced(from, 1);
  const at = before < 0 ? rest.length : before > from ? before - 1 : before;
  return rest.toSpliced(at, 0, card);
}
