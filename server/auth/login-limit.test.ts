// Attempt limits of sign-in as pure decisions; tests/contract checks them against the database.
import { expect, test } from 'vitest';
import { type AttemptBudget, waitMsOf } from './attempt-limiter.ts';
import { type LoginTry, loginBudgets } from './login-limit.ts';

const stranger: LoginTry = { account: 'Victim', address: 'a', knownBrowserId: null };

/** Tries every second for so long; the seconds at which one was taken. */
function tryFor(seconds: number, budget: AttemptBudget): number[] {
  const times: number[] = [];
  for (let now = 0; now < seconds * 1000; now += 1000) if (waitMsOf(times, budget, now) === 0) times.push(now);
  return times.map((at) => at / 1000);
}

const accountBudget = (): AttemptBudget => {
  const { account } = loginBudgets(stranger);
  if (account === null) throw new Error('a stranger counts against the account');
  return account;
};

test('[SE-01] at most 20 attempts per account and hour reach the hash, from any number of addresses', () => {
  const taken = tryFor(6 * 3600, accountBudget());
  for (const from of taken) expect(taken.filter((at) => at >= from && at < from + 3600).length).toBeLessThanOrEqual(20);
  expect(taken.length).toBeGreaterThan(6);
});

test('[SE-02] one address alone leaves tries for the owner at another', () => {
  const place = tryFor(3599, loginBudgets(stranger).place);
  expect(place.slice(0, 5)).toEqual([0, 1, 2, 3, 4]);
  const used = place.map((second) => second * 1000);
  expect(used.length).toBeLessThanOrEqual(10);
  expect(waitMsOf(used, accountBudget(), 3_599_000)).toBe(0);
  const elsewhere = loginBudgets({ ...stranger, address: 'b' });
  expect(elsewhere.place.key).not.toBe(loginBudgets(stranger).place.key);
  expect(elsewhere.account?.key).toBe(accountBudget().key);
});

test('[SE-01] the delay doubles after the free failures, up to 15 minutes', () => {
  const { place: account } = loginBudgets({ ...stranger, knownBrowserId: 'mine' });
  const waits = Array.from({ length: 19 }, (_none, count) =>
    waitMsOf(
      Array.from({ length: count }, () => 0),
      account,
      0,
    ),
  );
  expect(waits.slice(0, 8)).toEqual([0, 0, 0, 0, 0, 1000, 2000, 4000]);
  expect(waits.at(-1)).toBe(15 * 60_000);
});

test('[SE-01] attempts of many accounts from one address share a limit, restored after an hour', () => {
  const { address } = loginBudgets(stranger);
  const times = Array.from({ length: 200 }, () => 0);
  expect(waitMsOf(times.slice(1), address, 0)).toBe(0);
  expect(waitMsOf(times, address, 0)).toBe(3_600_000);
  expect(waitMsOf(times, address, 3_600_000)).toBe(0);
});

test('[SE-01] a /64 IPv6 network counts as one address', () => {
  const keyOf = (address: string) => loginBudgets({ ...stranger, address }).address.key;
  expect(keyOf('2001:db8::1')).toBe(keyOf('2001:db8::ffff:2'));
  expect(keyOf('2001:db8:0:1::1')).not.toBe(keyOf('2001:db8::1'));
});

test('[SE-02] a known browser of the owner has its own limit, independent of other attempts', () => {
  const keys = [stranger, { ...stranger, knownBrowserId: 'mine' }, { ...stranger, knownBrowserId: 'other' }].map(
    (attempt) => loginBudgets(attempt).place.key,
  );
  expect(new Set(keys).size).toBe(3);
});

test('treats names that differ only in case as one', () => {
  expect(loginBudgets({ ...stranger, account: 'VICTIM' })).toEqual(loginBudgets({ ...stranger, account: 'victim' }));
});
