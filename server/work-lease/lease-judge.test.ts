// Which leases may be taken, and a model of servers, a database and clocks that stand still: never two holders, and always one again.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Instant, LEASE_MS, mayTake, RENEW_EVERY_MS, type Watch, watchAfter } from './lease-judge.ts';

const TURN_MS = 1000;
const START = 1_800_000_000_000;

/** Looks once a second from `from` to `to`, by both clocks alike. */
function watched(from: number, to: number, watch: Watch | null = null): Watch {
  let last = watch;
  for (let at = from; at <= to; at += TURN_MS) last = watchAfter(last, instant(at));
  if (last === null) throw new Error('no look');
  return last;
}

function instant(at: number, monotonicMs = at): Instant {
  return { now: START + at, monotonicMs };
}

const held = (until: number, holder: string | null = 'other') => ({
  name: 'work',
  holder,
  epoch: 3,
  until: START + until,
});

test('a lease that was given up, or was ones own before a restart, is taken at the first look', () => {
  const first = watchAfter(null, instant(0));
  expect(mayTake(held(-1, null), first, 'me')).toBe(true);
  expect(mayTake(held(LEASE_MS, 'me'), first, 'me')).toBe(true);
  expect(mayTake(held(-1), first, 'me'), 'it has not watched yet').toBe(false);
});

test('a lease that ran out is taken after a whole lease of looks without a break', () => {
  expect(mayTake(held(10_000), watched(0, LEASE_MS - TURN_MS), 'me')).toBe(false);
  expect(mayTake(held(10_000), watched(0, LEASE_MS), 'me')).toBe(true);
  expect(mayTake(held(LEASE_MS + 1), watched(0, LEASE_MS), 'me'), 'it was renewed').toBe(false);
});

test('nobody takes a lease that nobody could renew, until its holder had the time of a lease', () => {
  const before = watched(0, 20_000);
  const back = 32_000;
  expect(mayTake(held(25_000), watched(back, back, before), 'me')).toBe(false);
  expect(mayTake(held(25_000), watched(back, back + LEASE_MS - TURN_MS, before), 'me')).toBe(false);
  expect(mayTake(held(25_000), watched(back, back + LEASE_MS, before), 'me')).toBe(true);
});

test('a clock of the database that was set says nothing for the time of a lease', () => {
  const before = watched(0, 20_000);
  const step = 3_600_000;
  let forward: Watch = watchAfter(before, instant(21_000 + step, 21_000));
  expect(mayTake(held(25_000), forward, 'me'), 'an hour ahead').toBe(false);
  for (let at = 22_000; at <= 36_000; at += TURN_MS) forward = watchAfter(forward, instant(at + step, at));
  expect(mayTake(held(25_000), forward, 'me')).toBe(true);
  let backward: Watch = watchAfter(before, instant(21_000 - step, 21_000));
  for (let at = 22_000; at <= 36_000; at += TURN_MS) backward = watchAfter(backward, instant(at - step, at));
  expect(mayTake(held(25_000), backward, 'me'), 'its holder would have renewed by the new clock').toBe(true);
});

interface ModelNode {
  readonly id: string;
  watch: Watch | null;
  /** Epoch that it believes to hold, and its own clock until which it may. */
  epoch: number | null;
  safeUntil: number;
  renewAt: number;
}

/** For so many seconds: `frozen` servers stand still, and the database is away or answers. */
interface Phase {
  readonly seconds: number;
  readonly frozen: readonly string[];
  readonly isAway: boolean;
}

const anyPhase: fc.Arbitrary<Phase> = fc.record({
  seconds: fc.integer({ min: 1, max: 40 }),
  frozen: fc.subarray(['a', 'b', 'c']),
  isAway: fc.boolean(),
});

/** One second of one server that runs while the database answers. */
function turn(node: ModelNode, row: { holder: string | null; epoch: number; until: number }, at: number): void {
  if (node.epoch !== null && at >= node.safeUntil) node.epoch = null;
  const isHolder = row.holder === node.id && row.epoch === node.epoch;
  if (node.epoch !== null && at >= node.renewAt) {
    if (!isHolder) node.epoch = null;
    else Object.assign(node, { safeUntil: at + LEASE_MS, renewAt: at + RENEW_EVERY_MS });
    if (isHolder) row.until = START + at + LEASE_MS;
  }
  if (node.epoch !== null) return;
  node.watch = watchAfter(node.watch, instant(at));
  if (!mayTake({ name: 'work', ...row }, node.watch, node.id)) return;
  Object.assign(row, { holder: node.id, epoch: row.epoch + 1, until: START + at + LEASE_MS });
  Object.assign(node, { epoch: row.epoch, safeUntil: at + LEASE_MS, renewAt: at + RENEW_EVERY_MS });
}

test('however servers and the database stand still, no two believe to hold a lease, and after peace one does', () => {
  fc.assert(
    fc.property(fc.array(anyPhase, { maxLength: 12 }), (phases) => {
      const row = { holder: null as string | null, epoch: 0, until: 0 };
      const nodes: ModelNode[] = ['a', 'b', 'c'].map((id) => ({
        id,
        watch: null,
        epoch: null,
        safeUntil: 0,
        renewAt: 0,
      }));
      let at = 0;
      const live = ({ seconds, frozen, isAway }: Phase) => {
        for (let second = 0; second < seconds; second += 1) {
          at += TURN_MS;
          for (const node of nodes) if (!isAway && !frozen.includes(node.id)) turn(node, row, at);
          const believing = nodes.filter(({ epoch, safeUntil }) => epoch !== null && at < safeUntil);
          expect(believing.length).toBeLessThanOrEqual(1);
        }
      };
      for (const phase of phases) live(phase);
      live({ seconds: 40, frozen: [], isAway: false });
      expect(nodes.filter(({ epoch }) => epoch === row.epoch)).toHaveLength(1);
    }),
    { numRuns: 500 },
  );
});

test('a holder that renews is never replaced, however often the database is away for less than ten seconds', () => {
  const away = fc.array(
    fc.record({ seconds: fc.integer({ min: 1, max: 9 }), before: fc.integer({ min: 6, max: 30 }) }),
    {
      maxLength: 20,
    },
  );
  fc.assert(
    fc.property(away, (outages) => {
      const row = { holder: null as string | null, epoch: 0, until: 0 };
      const nodes: ModelNode[] = ['a', 'b'].map((id) => ({ id, watch: null, epoch: null, safeUntil: 0, renewAt: 0 }));
      let at = 0;
      for (const { seconds, before } of outages) {
        for (let second = 0; second < before; second += 1) {
          at += TURN_MS;
          for (const node of nodes) turn(node, row, at);
        }
        at += seconds * TURN_MS;
      }
      expect([null, 'a']).toContain(row.holder);
    }),
  );
});
