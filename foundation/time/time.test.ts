// Tests of the clocks and waits.
import { describe, expect, it, vi } from 'vitest';
import { systemClock } from './clock.ts';
import { FakeClock, settlePromises } from './fake-clock.fake.ts';
import { finishesWithin } from './finishes-within.ts';
import { wait } from './wait.ts';

describe('systemClock', () => {
  it('keeps a timer of more than 31 bits of milliseconds waiting', async () => {
    const run = vi.fn();
    const cancel = systemClock.after(2 ** 31, run);
    await new Promise((resolve) => systemClock.after(5, () => resolve(null)));
    cancel();
    expect(run).not.toHaveBeenCalled();
  });

  it('runs a negative delay as none', async () => {
    await new Promise((resolve) => systemClock.after(-5, () => resolve(null)));
  });
});

describe('FakeClock', () => {
  it('runs timers in order, each at its own time, and what they start too', () => {
    const clock = new FakeClock(0);
    const log: string[] = [];
    clock.after(20, () => log.push(`b ${clock.monotonicMs()}`));
    clock.after(10, () => {
      log.push(`a ${clock.monotonicMs()}`);
      clock.after(5, () => log.push(`c ${clock.wallMs()}`));
    });
    clock.after(15, () => log.push('cancelled'))();
    clock.advance(30);
    expect(log).toEqual(['a 10', 'c 15', 'b 20']);
    expect(clock.next()).toBeNull();
    expect(clock.wallMs()).toBe(30);
  });
});

describe('wait', () => {
  it('ends after its time and leaves no timer behind', async () => {
    const clock = new FakeClock();
    let isOver = false;
    void wait(clock, 100).then(() => {
      isOver = true;
    });
    await clock.advanceAsync(99);
    expect(isOver).toBe(false);
    await clock.advanceAsync(1);
    expect(isOver).toBe(true);
  });

  it('ends early when its signal aborts, before or during the wait', async () => {
    const clock = new FakeClock();
    const controller = new AbortController();
    const waiting = wait(clock, 1000, controller.signal);
    controller.abort();
    await waiting;
    await wait(clock, 1000, controller.signal);
    expect(clock.next()).toBeNull();
  });
});

describe('finishesWithin', () => {
  it('answers whether the work fulfilled before the deadline', async () => {
    const clock = new FakeClock();
    expect(await finishesWithin(clock, 10, Promise.resolve())).toBe(true);
    expect(await finishesWithin(clock, 10, Promise.reject(new Error('failed')))).toBe(false);
    const late = finishesWithin(clock, 10, new Promise(() => undefined));
    await settlePromises();
    clock.advance(10);
    expect(await late).toBe(false);
  });
});
