// Tasks by their weekly plans.
import type { AnalysisOrder } from '@vedette/contract/site/site-analysis.ts';
import { expect, it } from 'vitest';
import { PlannedOrders } from './planned-orders.ts';

const order = (taskId: string, plan?: AnalysisOrder['plan']): AnalysisOrder => ({
  taskId,
  algorithm: 'intrusion',
  regions: [],
  classes: ['person'],
  threshold: 10,
  minHeight: 0,
  maxHeight: 1,
  dwellS: 10,
  densityLevels: [3, 6, 10],
  ...(plan && { plan }),
});
/** Fridays from eight to nine, UTC. */
const plan = {
  days: [{ day: 5, entryList: [{ StartTime: '08:00:00', EndTime: '09:00:00', Type: 1 as const }] }],
  holidays: [],
  timeZone: 'UTC',
};
const friday = (time: string) => Date.parse(`2026-11-27T${time}Z`);

it('names the tasks whose plan holds, and the same list while nothing changes', () => {
  const [always, planned] = [order('always'), order('planned', plan)];
  const orders = new PlannedOrders([always, planned]);
  expect(orders.at(friday('07:59:59'))).toEqual([always]);
  const held = orders.at(friday('08:00:00'));
  expect(held).toEqual([always, planned]);
  expect(orders.at(friday('08:59:59'))).toBe(held);
  expect(orders.at(friday('09:00:00'))).toEqual([always]);
});
