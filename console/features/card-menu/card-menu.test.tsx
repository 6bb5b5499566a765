// Tests of the card menu in a document: what of a card is shown, and what its sub-items open.
// @vitest-environment happy-dom
import type { CardMenuItem } from '@vedette/contract/entities.ts';
import { afterEach, expect, it, vi } from 'vitest';
import { type RenderedComponent, show } from '../../services/services.fake.tsx';
import { CardMenu } from './card-menu.tsx';

let shown: RenderedComponent | null = null;
afterEach(() => shown?.close());

const cards: readonly CardMenuItem[] = [
  { linkId: 'gone', name: 'Gone', tip: '', imgUrl: '', visible: false, MenuList: [{ name: 'Never', visible: true }] },
  {
    linkId: 'live',
    name: 'Live',
    tip: 'Watch cameras',
    imgUrl: '',
    visible: true,
    MenuList: [
      { name: 'Hidden', visible: false },
      { name: 'Wall', visible: true },
      { name: 'Window', visible: true },
    ],
  },
  { linkId: 'own', name: 'Own', tip: '', imgUrl: '/own.svg', visible: true, MenuList: [] },
];

it('[EN-16] [WG-01] a card shows name, tip and icon, and of its sub-items those that are visible', async () => {
  const onOpenTab = vi.fn();
  shown = await show(
    <CardMenu label="Cards" imageBase="/icons/" cards={cards} onOpenTab={onOpenTab} onMenuExchange={() => undefined} />,
    () => ({ code: 200 }),
  );
  const list = shown.root.querySelector('ul[aria-label="Cards"]');
  const faces = [...(list?.querySelectorAll(':scope > li > button') ?? [])];
  expect(faces.map((face) => [face.querySelector('img')?.getAttribute('src'), face.textContent])).toEqual([
    ['/icons/live.png', 'LiveWatch cameras'],
    ['/own.svg', 'Own'],
  ]);
  const items = [...(list?.querySelectorAll('ul[aria-label="Live"] button') ?? [])] as HTMLElement[];
  expect(items.map((item) => item.textContent)).toEqual(['Wall', 'Window']);
  items[1]?.click();
  (faces[0] as HTMLElement).click();
  // The second card of the list; its first sub-item that is shown is the one at 1.
  expect(onOpenTab.mock.calls).toEqual([
    [1, 2],
    [1, 1],
  ]);
});
