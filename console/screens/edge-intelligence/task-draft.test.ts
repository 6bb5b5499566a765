// A task while it is edited: regions that are added and reshaped, and what keeps it from being saved.
import type { AnalysisRegion } from '@vedette/contract/calls/analysis.ts';
import { ANALYSIS_LIMITS } from '@vedette/contract/limits.ts';
import { describe, expect, it } from 'vitest';
import { draftProblems, NEW_TASK, saveInput, withoutPoint, withPoint, withRegion } from './task-draft.ts';

const [zone] = withRegion([], 'zone', 'Yard') as [AnalysisRegion];
const [line] = withRegion([], 'line', 'Gate') as [AnalysisRegion];

describe('a region that is added', () => {
  it('has an id that no other has, also after one was removed', () => {
    const three = ['A', 'B', 'C'].reduce<AnalysisRegion[]>((all, name) => withRegion(all, 'line', name), []);
    const again = withRegion(three.toSpliced(1, 1), 'mask', 'D');
    expect(again.map(({ regionId }) => regionId)).toEqual(['1', '3', '2']);
  });
  it('is one that can be saved as it is', () => {
    const draft = { ...NEW_TASK, camera: 'A1:1', taskName: 'Gate' };
    expect(draftProblems({ ...draft, regionList: [line] })).toEqual({ fields: new Set(), shapes: new Set() });
    const intrusion = { ...draft, algorithm: 'intrusion', regionList: [zone] } as const;
    expect(draftProblems({ ...intrusion, regionList: [...intrusion.regionList] }).fields).toEqual(new Set());
  });
});

describe('points', () => {
  it('are added in the middle of a side, the last one included', () => {
    expect(withPoint(zone, 3).points.at(-1)).toEqual({ x: 0.3, y: 0.5 });
    expect(withPoint(zone, 0).points[1]).toEqual({ x: 0.5, y: 0.3 });
  });
  it('are not more than a region may have, and not fewer than it needs', () => {
    let full = zone;
    while (full.points.length < ANALYSIS_LIMITS.points) full = withPoint(full, 0);
    expect(withPoint(full, 0)).toBe(full);
    const triangle = withoutPoint(zone, 0);
    expect(triangle.points).toHaveLength(3);
    expect(withoutPoint(triangle, 0)).toBe(triangle);
    expect(withoutPoint(line, 0)).toBe(line);
  });
});

it('a new task needs a name, a camera and the region of its rule', () => {
  expect(draftProblems(NEW_TASK).fields).toEqual(new Set(['name', 'camera', 'noline']));
  const flat = { ...line, points: line.points.with(1, line.points[0] ?? { x: 0, y: 0 }), regionName: ' ' };
  const { fields, shapes } = draftProblems({ ...NEW_TASK, regionList: [flat], classList: [] });
  expect(fields).toEqual(new Set(['name', 'camera', 'regionName', 'classes']));
  expect(shapes).toEqual(new Set([0]));
});

it('a change names the version that was seen, a new task none', () => {
  const draft = { ...NEW_TASK, camera: 'A1:3', taskName: 'Gate' };
  expect(saveInput(draft, null)).not.toHaveProperty('taskId');
  expect(saveInput(draft, { taskId: 't', version: 4 })).toMatchObject({
    deviceSerial: 'A1',
    channelNo: 3,
    taskId: 't',
    version: 4,
  });
});
