// Request deadline: parallel connections of a call count once, and only its own.
import { expect, test } from 'vitest';
import { systemClock } from '@vedette/foundation/time/clock.ts';
import {
  RequestDeadline,
  clockWithoutDeadline,
  currentDeadline,
  statementTimeoutMs,
  withoutStatementTimeout,
  withRequestDeadline,
} from './request-deadline.ts';

test('counts parallel connections of a call once, and not the time between', () => {
  const budget = new RequestDeadline();
  budget.begin(0);
  budget.begin(500);
  budget.end(1000);
  budget.end(2000);
  expect([budget.mayStartStatement(60_000), budget.remainingMs(60_000)]).toEqual([true, 4000]);
  budget.begin(60_000);
  expect([budget.mayStartStatement(62_001), budget.remainingMs(62_001)]).toEqual([false, 1999]);
});

test('waits for sites until the caller must have an answer, and for as long as it takes where nobody waits', () => {
  const deadline = new RequestDeadline(1000);
  expect([deadline.siteMs(1000), deadline.siteMs(9000), deadline.siteMs(20_000)]).toEqual([8500, 500, 0]);
  expect(new RequestDeadline().siteMs(20_000)).toBeNull();
});

test('waits for a statement as long as the call has time left, a little longer for a commit, not at all after that', () => {
  withRequestDeadline(() => {
    currentDeadline()?.begin(0);
    expect(statementTimeoutMs('select 1', 1000)).toBe(5000);
    expect([statementTimeoutMs('select 1', 5900), statementTimeoutMs('commit', 5900)]).toEqual([100, 1500]);
    expect(statementTimeoutMs('commit', 6000)).toBe(0);
  });
});

test('gives background work more time than any statement may take, and migrations no limit', () => {
  expect(statementTimeoutMs('select 1', 0)).toBeGreaterThan(30_000);
  expect(withoutStatementTimeout(() => statementTimeoutMs('create index', 0))).toBeNull();
});

test('does not count work that a call leaves to a timer', async () => {
  const { promise, resolve } = Promise.withResolvers<unknown>();
  withRequestDeadline(() => clockWithoutDeadline(systemClock).after(1, () => resolve(currentDeadline())));
  expect(await promise).toBeNull();
});
