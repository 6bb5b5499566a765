// The screens of the rail in the order that the account gave its cards: groups stay together and follow their first screen.
import { movedCard, orderedCards } from '@vedette/rules/card-menu.ts';
import type { RailGroup, ScreenRow } from './screen-rows.ts';

export interface RailRows {
  readonly group: RailGroup;
  readonly rows: readonly ScreenRow[];
}

/** A screen and its card go by one name. */
function linkIdOf({ icon }: ScreenRow): string {
  return icon;
}

export function groupsInOrder(rows: readonly ScreenRow[], order: readonly string[]): RailRows[] {
  const ordered = orderedCards(
    rows.map((row) => ({ linkId: linkIdOf(row), row })),
    order,
  );
  const groups = Map.groupBy(ordered, ({ row }) => row.group);
  return [...groups].map(([group, cards]) => ({ group, rows: cards.map(({ row }) => row) }));
}

/** The order after one screen went a step up or down within its group; null where it is at the end. */
export function orderAfterMove(groups: readonly RailRows[], row: ScreenRow, step: 1 | -1): string[] | null {
  const rows = groups.find(({ group }) => group === row.group)?.rows ?? [];
  const from = rows.indexOf(row);
  const to = from + step;
  if (from < 0 || to < 0 || to >= rows.length) return null;
  const moved = movedCard(rows, from, step < 0 ? to : to + 1);
  return groups.flatMap((one) => (one.group === row.group ? moved : one.rows)).map(linkIdOf);
}
