// What a task of edge intelligence may watch for, and which drawings are refused.
import type { AnalysisRegion } from '@vedette/contract/calls/analysis.ts';
import { ANALYSIS_ALGORITHMS } from '@vedette/contract/enumerations.ts';
import { describe, expect, it } from 'vitest';
import { taskProblems, type WatchedScene, watchedKind } from './task-problems.ts';

const points = (...pairs: [number, number][]) => pairs.map(([x, y]) => ({ x, y }));
const region = (kind: AnalysisRegion['kind'], pairs: [number, number][], regionId = 'a'): AnalysisRegion => ({
  regionId,
  regionName: 'Gate',
  kind,
  points: points(...pairs),
  direction: 'both',
  colour: '#ff0000',
});
const SQUARE: [number, number][] = [
  [0.1, 0.1],
  [0.9, 0.1],
  [0.9, 0.9],
  [0.1, 0.9],
];
const LINE: [number, number][] = [
  [0.2, 0.5],
  [0.8, 0.5],
];
const scene = (more: Partial<WatchedScene> = {}): WatchedScene => ({
  algorithm: 'intrusion',
  regionList: [region('zone', SQUARE)],
  classList: ['person'],
  minHeight: 0.02,
  maxHeight: 1,
  densityLevels: [3, 6, 10],
  ...more,
});

it.each(ANALYSIS_ALGORITHMS)('%s needs a region of its kind', (algorithm) => {
  const kind = watchedKind(algorithm);
  const good = region(kind, kind === 'line' ? LINE : SQUARE);
  const other = region(kind === 'line' ? 'zone' : 'line', kind === 'line' ? SQUARE : LINE, 'b');
  expect(taskProblems(scene({ algorithm, regionList: [good, other] }))).toEqual({});
  expect(taskProblems(scene({ algorithm, regionList: [other] }))).toEqual({ regionList: 'required' });
});

describe('a region', () => {
  const problemOf = (one: AnalysisRegion) =>
    taskProblems(scene({ regionList: [region('zone', SQUARE, 'z'), one] }))['regionList.1.points'] ?? null;

  it.each<[string, AnalysisRegion, string | null]>([
    ['a line of two points', region('line', LINE), null],
    ['a line of one', region('line', LINE.slice(1)), 'tooShort'],
    ['a line of three', region('line', SQUARE.slice(1)), 'tooLong'],
    ['a line without length', region('line', [LINE[0] ?? [0, 0], LINE[0] ?? [0, 0]]), 'notAllowed'],
    ['a triangle', region('zone', SQUARE.slice(1)), null],
    ['a zone of two points', region('zone', LINE), 'tooShort'],
    ['a mask of two points', region('mask', LINE), 'tooShort'],
    [
      'a bow tie',
      region('zone', [
        [0.1, 0.1],
        [0.9, 0.9],
        [0.9, 0.1],
        [0.1, 0.8],
      ]),
      'notAllowed',
    ],
    [
      'a zone on one line',
      region('zone', [
        [0.1, 0.1],
        [0.5, 0.5],
        [0.9, 0.9],
      ]),
      'notAllowed',
    ],
    [
      'a zone that touches itself in a point',
      region('zone', [
        [0, 0],
        [1, 0],
        [0.5, 0.5],
        [1, 1],
        [0, 1],
        [0.5, 0.5],
      ]),
      'notAllowed',
    ],
    [
      'an L',
      region('mask', [
        [0, 0],
        [1, 0],
        [1, 0.5],
        [0.5, 0.5],
        [0.5, 1],
        [0, 1],
      ]),
      null,
    ],
  ])('%s', (_what, one, problem) => {
    expect(problemOf(one)).toBe(problem);
  });

  it('has an id of its own', () => {
    const regionList = [region('zone', SQUARE), region('zone', SQUARE)];
    expect(taskProblems(scene({ regionList }))).toEqual({ 'regionList.1.regionId': 'notAllowed' });
  });
});

it('heights and levels ascend, and no class is named twice', () => {
  expect(taskProblems(scene({ minHeight: 0.5, maxHeight: 0.5 }))).toEqual({ maxHeight: 'tooSmall' });
  expect(taskProblems(scene({ densityLevels: [3, 3, 10] }))).toEqual({ 'densityLevels.1': 'tooSmall' });
  expect(taskProblems(scene({ classList: ['bag', 'bag'] }))).toEqual({ classList: 'notAllowed' });
});
