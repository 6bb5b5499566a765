// How fast a remote site is read: at once up to its budget, and from then on as fast as the budget comes back.
import { FakeClock } from '@vedette/foundation/time/fake-clock.fake.ts';
import { describe, expect, it } from 'vitest';
import type { WebSocket } from 'ws';
import { FarBudget, FarInflow } from './far-inflow.ts';
import { FAR_LIMITS } from './far-limits.ts';
import { mergedWork } from '../site-link/merged-work.ts';

function inflow() {
  const clock = new FakeClock();
  const state = { isPaused: false };
  const socket = { pause: () => (state.isPaused = true), resume: () => (state.isPaused = false) };
  const budget = new FarBudget(FAR_LIMITS, () => clock.monotonicMs());
  return { clock, state, budget, inflow: new FarInflow({ socket: socket as unknown as WebSocket, clock, budget }) };
}

describe('[SE-85] a far site', () => {
  it('stores all that its spool holds at once, and no more than its share of the whole from then on', () => {
    const { clock, inflow: far } = inflow();
    let waited = 0;
    for (let stored = 0; stored < 50_000; stored += 500) waited += far.stored(500);
    expect(waited).toBe(0);
    let events = 0;
    while (clock.monotonicMs() < 60_000) {
      events += 500;
      clock.advance(far.stored(500));
    }
    expect(events).toBeLessThan(10_000 + 61 * FAR_LIMITS.events.perSecond);
    expect(events).toBeGreaterThan(59 * FAR_LIMITS.events.perSecond);
  });

  it('is not read while it is in debt, and is read again when it has paid', () => {
    const { clock, state, inflow: far } = inflow();
    far.read(FAR_LIMITS.bytes.burst);
    expect(state.isPaused).toBe(false);
    far.read(FAR_LIMITS.bytes.perSecond);
    expect(state.isPaused).toBe(true);
    clock.advance(900);
    expect(state.isPaused).toBe(true);
    clock.advance(200);
    expect(state.isPaused).toBe(false);
  });

  it('pays for each message, however short it is', () => {
    const { state, inflow: far } = inflow();
    const free = FAR_LIMITS.bytes.burst / FAR_LIMITS.messageBytes;
    for (let count = 0; count <= free; count += 1) far.read(2);
    expect(state.isPaused).toBe(true);
  });

  it('is not read while its events wait to be stored, until half of them are', () => {
    const { state, inflow: far } = inflow();
    far.waiting(FAR_LIMITS.eventsWaiting);
    expect(state.isPaused).toBe(true);
    far.waiting(FAR_LIMITS.eventsWaiting / 2 + 1);
    expect(state.isPaused).toBe(true);
    far.waiting(FAR_LIMITS.eventsWaiting / 2);
    expect(state.isPaused).toBe(false);
  });
});

it('merges what comes while work is under way into one next piece', async () => {
  const done: number[] = [];
  const held = Promise.withResolvers<void>();
  const begin = mergedWork<number>(
    async (item) => {
      done.push(item);
      await held.promise;
    },
    (before, next) => before + next,
  );
  for (const item of [1, 2, 3, 4]) begin(item);
  held.resolve();
  await expect.poll(() => done).toEqual([1, 9]);
});
