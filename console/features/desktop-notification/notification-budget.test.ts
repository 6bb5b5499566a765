// How many notifications a burst of alarms gets.
import { expect, it } from 'vitest';
import { NotificationBudget } from './notification-budget.ts';

it('three in ten seconds have one of their own, and the rest are counted in one', () => {
  const budget = new NotificationBudget();
  expect(budget.plan([2, 1], 0)).toEqual({ singles: [2, 1], more: 0 });
  expect(budget.plan([5, 4, 3], 9000)).toEqual({ singles: [5], more: 2 });
  expect(budget.plan([6], 9999)).toEqual({ singles: [], more: 3 });
  expect(budget.plan([7], 10_000)).toEqual({ singles: [7], more: 0 });
});
