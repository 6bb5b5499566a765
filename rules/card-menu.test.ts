// Tests of the cards of the home page.
import { describe, expect, it } from 'vitest';
import { iconAddress, movedCard, orderedCards } from './card-menu.ts';

const cards = ['a', 'b', 'c', 'd'].map((linkId) => ({ linkId }));
const ids = (list: readonly { linkId: string }[]) => list.map((card) => card.linkId).join('');

describe('[WG-01] the icon of a card', () => {
  it('is built of base and link, unless the card has one of its own', () => {
    expect(iconAddress('/icons/cards/', { linkId: 'live', imgUrl: '' })).toBe('/icons/cards/live.png');
    expect(iconAddress('/icons/cards/', { linkId: 'live', imgUrl: '/own.svg' })).toBe('/own.svg');
  });
});

describe('[WG-02] the order of cards', () => {
  it('follows the account, appends new cards, and ignores removed ones', () => {
    expect(ids(orderedCards(cards, ['c', 'gone', 'a']))).toBe('cabd');
    expect(ids(orderedCards(cards, []))).toBe('abcd');
  });
  it.each([
    [0, 2, 'bacd'],
    [3, 0, 'dabc'],
    [0, -1, 'bcda'],
    [1, 1, 'abcd'],
    [9, 0, 'abcd'],
  ])('moving %i before %i', (from, before, expected) => {
    expect(ids(movedCard(cards, from, before))).toBe(expected);
  });
});
