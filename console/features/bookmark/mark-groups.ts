// What was locked at once on several cameras is one protection: one row, one unlock. Pure.
import type { Mark } from './mark.query.ts';

/** One row of the list: a bookmark, or the locks that share their range, name, reason and maker. */
export interface MarkGroup {
  /** That of its first mark. */
  readonly id: string;
  readonly first: Mark;
  /** One for each camera. */
  readonly marks: readonly Mark[];
}

/** In the order of the list. */
export function groupMarks(marks: readonly Mark[]): readonly MarkGroup[] {
  const groups = new Map<string, Mark[]>();
  for (const mark of marks) {
    const key = mark.kind === 'bookmark' ? mark.id : sameLockKey(mark);
    groups.set(key, [...(groups.get(key) ?? []), mark]);
  }
  return [...groups.values()].flatMap((found) => {
    const [first] = found;
    return first ? [{ id: first.id, first, marks: found }] : [];
  });
}

function sameLockKey({ start, end, name, reason, createdBy, isByShare }: Mark): string {
  return JSON.stringify([start, end, name, reason, createdBy, isByShare]);
}
