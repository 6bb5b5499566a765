// The floor plan beside the wall: by choice, by organisation, or the first.
import { expect, it } from 'vitest';
import { planBeside, planOptions } from './plan-beside.ts';

const PLANS = [entry('a', '1'), entry('b', '2'), entry('c', '2')];

function entry(floorPlanId: string, organizationId: string) {
  const size = { width: 100, height: 100, pictureTime: 1, changedAt: 1 };
  return { floorPlanId, organizationId, name: floorPlanId, isEditable: false, version: 1, ...size };
}

const shown = (wanted: string | null, organizationId?: string): string | undefined =>
  planBeside(PLANS, wanted, organizationId)?.floorPlanId;

it('follows the organisation of the selected camera', () => {
  expect(shown(null, '2')).toBe('b');
  expect(shown(null, '1')).toBe('a');
});

it('is the first where nothing is selected, or the organisation has none', () => {
  expect([shown(null), shown(null, '9')]).toEqual(['a', 'a']);
  expect(planBeside([], null, '1')).toBeUndefined();
});

it('stays the chosen one until that is deleted', () => {
  expect(shown('c', '1')).toBe('c');
  expect(shown('gone', '2')).toBe('b');
});

it('is chosen by its name, with that of its organisation where there are several', () => {
  const organizations = [
    { value: '2', label: 'Harbour' },
    { value: '3', label: 'Mill' },
    { value: '1', label: 'Office' },
  ];
  const labels = (plans: typeof PLANS): string[] => planOptions(plans, organizations).map(({ label }) => label);
  expect(labels(PLANS)).toEqual(['Harbour / b', 'Harbour / c', 'Office / a']);
  expect(labels(PLANS.slice(1))).toEqual(['b', 'c']);
});
