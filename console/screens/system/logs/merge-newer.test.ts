// Lines of a followed log.
import type { LogLine } from '@vedette/contract/calls/system-log.ts';
import { expect, it } from 'vitest';
import { mergeNewer } from './merge-newer.ts';

const line = (lineId: string, time: number): LogLine => ({
  lineId,
  time,
  level: 'info',
  part: 'server',
  text: lineId,
  detail: '',
});

it('new ones come where their time says, and each stands once', () => {
  const held = [line('c', 3), line('a', 1)];
  const merged = mergeNewer(held, [line('d', 4), line('c', 3), line('b', 2)]);
  expect(merged.map(({ lineId }) => lineId)).toEqual(['d', 'c', 'b', 'a']);
});

it('of the same time the newer one comes first', () => {
  expect(mergeNewer([line('a', 1)], [line('b', 1)]).map(({ lineId }) => lineId)).toEqual(['b', 'a']);
});

it('without new ones it is the same list', () => {
  const held = [line('a', 1)];
  expect(mergeNewer(held, [line('a', 1)])).toBe(held);
});
