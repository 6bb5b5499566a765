// The budget of sign-in tries over hours, with a clock of the test.
import { expect, test } from 'vitest';
import type { Clock } from '../clock/clock.ts';
import { LoginLimit, type LoginTry } from './login-limit.ts';

function clockAt(start: number): Clock & { set: (now: number) => void } {
  let now = start;
  return { now: () => now, monotonic: () => now, after: () => () => undefined, set: (next) => (now = next) };
}

const stranger: LoginTry = { account: 'Victim', address: 'a', knownBrowserId: null };

test('[SE-01] at most 20 tries per account and hour reach the hash, from however many addresses', () => {
  const clock = clockAt(0);
  const limit = new LoginLimit({ clock });
  const taken: number[] = [];
  for (let second = 0; second < 6 * 3600; second += 1) {
    clock.set(second * 1000);
    const attempt = { ...stranger, address: `address ${second}` };
    if (limit.begin(attempt) > 0) continue;
    limit.end(attempt, false);
    taken.push(second);
  }
  for (const from of taken) expect(taken.filter((at) => at >= from && at < from + 3600).length).toBeLessThanOrEqual(20);
  expect(taken.length).toBeGreaterThan(6);
});

test('[SE-01] many accounts from one address run out together', () => {
  const limit = new LoginLimit({ clock: clockAt(0) });
  let taken = 0;
  for (let account = 0; account < 1000; account += 1) {
    const attempt = { ...stranger, account: `account ${account}` };
    if (limit.begin(attempt) > 0) continue;
    limit.end(attempt, false);
    taken += 1;
  }
  expect(taken).toBe(200);
});

test('[SE-02] the owner on a known browser has a budget of its own, whatever strangers do', () => {
  const limit = new LoginLimit({ clock: clockAt(0) });
  for (let count = 0; count < 50; count += 1) if (limit.begin(stranger) === 0) limit.end(stranger, false);
  expect(limit.begin(stranger)).toBeGreaterThan(0);
  expect(limit.begin({ ...stranger, address: 'home', knownBrowserId: 'mine' })).toBe(0);
});

test('[SE-01] tries in parallel count before they end, and a name in other letters is the same name', () => {
  const limit = new LoginLimit({ clock: clockAt(0) });
  const begun = Array.from({ length: 50 }, (_none, index) =>
    limit.begin({ ...stranger, account: index % 2 === 0 ? 'VICTIM' : 'victim' }),
  );
  expect(begun.filter((waitMs) => waitMs === 0).length).toBeLessThanOrEqual(20);
});

test('the right password forgives the failures before it', () => {
  const limit = new LoginLimit({ clock: clockAt(0) });
  for (let count = 0; count < 4; count += 1) {
    expect(limit.begin(stranger)).toBe(0);
    limit.end(stranger, false);
  }
  expect(limit.begin(stranger)).toBe(0);
  limit.end(stranger, true);
  for (let count = 0; count < 5; count += 1) {
    expect(limit.begin(stranger)).toBe(0);
    limit.end(stranger, false);
  }
  expect(limit.begin(stranger)).toBeGreaterThan(0);
});
