// Tests of locks that are one protection.
import { expect, test } from 'vitest';
import type { Mark } from './mark.query.ts';
import { groupMarks } from './mark-groups.ts';

function mark(id: string, change: Partial<Mark> = {}): Mark {
  return {
    kind: 'lock',
    id,
    channel: { deviceSerial: `CAM${id}`, channelNo: 1 },
    start: 1000,
    end: 5000,
    name: 'Theft',
    reason: 'Case 17',
    createdBy: 'operator',
    isByShare: false,
    ...change,
  };
}

const idsOf = (marks: readonly Mark[]): string[][] => groupMarks(marks).map((group) => group.marks.map(({ id }) => id));

test('locks of several cameras made at once are one protection', () => {
  expect(idsOf([mark('a'), mark('b'), mark('c'), mark('d')])).toEqual([['a', 'b', 'c', 'd']]);
});

test.each<[string, Partial<Mark>]>([
  ['range', { end: 6000 }],
  ['name', { name: 'Fall' }],
  ['reason', { reason: '' }],
  ['maker', { createdBy: 'guard' }],
  ['share', { isByShare: true }],
])('another %s is another protection', (_what, change) => {
  expect(idsOf([mark('a'), mark('b', change), mark('c')])).toEqual([['a', 'c'], ['b']]);
});

test('bookmarks stay single', () => {
  expect(idsOf([mark('a', { kind: 'bookmark' }), mark('b', { kind: 'bookmark' })])).toEqual([['a'], ['b']]);
});
