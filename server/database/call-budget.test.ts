// Request deadline: parallel connections of a call count once, and only its own.
import { expect, test } from 'vitest';
import { systemClock } from '@vedette/foundation/time/clock.ts';
import {
  CallBudget,
  clockWithoutBudget,
  currentBudget,
  statementLimitMs,
  unbounded,
  withBudget,
} from './call-budget.ts';

test('counts parallel connections of a call once, and not the time between', () => {
  const budget = new CallBudget();
  budget.begin(0);
  budget.begin(500);
  budget.end(1000);
  budget.end(2000);
  expect([budget.mayBegin(60_000), budget.leftMs(60_000)]).toEqual([true, 4000]);
  budget.begin(60_000);
  expect([budget.mayBegin(62_001), budget.leftMs(62_001)]).toEqual([false, 1999]);
});

test('waits for a statement as long as the call has time left, a little longer for a commit, not at all after that', () => {
  withBudget(() => {
    currentBudget()?.begin(0);
    expect(statementLimitMs('select 1', 1000)).toBe(5000);
    expect([statementLimitMs('select 1', 5900), statementLimitMs('commit', 5900)]).toEqual([100, 1500]);
    expect(statementLimitMs('commit', 6000)).toBe(0);
  });
});

test('gives background work more time than any statement may take, and migrations no limit', () => {
  expect(statementLimitMs('select 1', 0)).toBeGreaterThan(30_000);
  expect(unbounded(() => statementLimitMs('create index', 0))).toBeNull();
});

test('does not count work that a call leaves to a timer', async () => {
  const { promise, resolve } = Promise.withResolvers<unknown>();
  withBudget(() => clockWithoutBudget(systemClock).after(1, () => resolve(currentBudget())));
  expect(await promise).toBeNull();
});
