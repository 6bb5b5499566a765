// Proves the gate of sign-ins: one undecided try at a time, few refusals a minute, and another password is another account.
import { expect, test } from 'vitest';
import { FakeClock } from '@vedette/foundation/time/fake-clock.fake.ts';
import { SignInLimiter } from './sign-in-limiter.ts';

const ACCOUNT = { host: 'camera', port: 554, user: 'admin', password: 'wrong' };

/** Every stream tries whenever it is let; answers the times of the tries, in seconds. */
function tries(streams: number, seconds: number, verdict: (atMs: number) => 'accepted' | 'refused'): number[] {
  const clock = new FakeClock();
  const gate = new SignInLimiter(clock);
  const key = gate.keyOf(ACCOUNT);
  const done = new Set<number>();
  const times: number[] = [];
  for (let at = 0; at < seconds * 1000; at += 50) {
    for (let stream = 0; stream < streams; stream += 1) {
      if (done.has(stream) || gate.waitMs(key) > 0) continue;
      times.push(at / 1000);
      const result = verdict(at);
      gate.begin(key)[result]();
      if (result === 'accepted') done.add(stream);
    }
    clock.advance(50);
  }
  return times;
}

test('[FT-10] a wrong password is refused twice a minute at most, however many streams the device has', () => {
  const times = tries(64, 300, () => 'refused');
  expect(times[0]).toBe(0);
  for (const [i, time] of times.entries()) {
    expect(times.slice(i).filter((other) => other < time + 60).length).toBeLessThanOrEqual(2);
  }
});

test('while one sign-in is pending the others wait, and after its success all proceed', () => {
  const clock = new FakeClock();
  const gate = new SignInLimiter(clock);
  const key = gate.keyOf(ACCOUNT);
  const first = gate.begin(key);
  expect(gate.waitMs(key)).toBeGreaterThan(0);
  first.accepted();
  first.refused();
  expect(gate.isRefused(key)).toBe(false);
  const [second, third] = [gate.begin(key), gate.begin(key)];
  expect(gate.waitMs(key)).toBe(0);
  clock.advance(11_000);
  expect(gate.waitMs(key)).toBeGreaterThan(0);
  second.undecided();
  third.undecided();
  expect(gate.waitMs(key)).toBe(0);
});

test('a corrected password is tried at once, and keys hold no password', () => {
  const gate = new SignInLimiter(new FakeClock());
  gate.begin(gate.keyOf(ACCOUNT)).refused();
  expect(gate.waitMs(gate.keyOf(ACCOUNT))).toBeGreaterThan(0);
  expect(gate.waitMs(gate.keyOf({ ...ACCOUNT, password: 'right' }))).toBe(0);
  expect(gate.keyOf(ACCOUNT)).not.toContain('wrong');
});
