// What of a wall is saved: how many windows, and which channel stands in which of them.
import type { Layout } from '@vedette/contract/calls/layout.ts';

export type LayoutContent = Pick<Layout, 'split' | 'tiles'>;

export function sameContent(one: LayoutContent, other: LayoutContent): boolean {
  return contentKey(one) === contentKey(other);
}

function contentKey({ split, tiles }: LayoutContent): string {
  const places = tiles.map(({ position, deviceSerial, channelNo }) => `${position}=${deviceSerial}:${channelNo}`);
  return `${split} ${places.toSorted().join(' ')}`;
}
