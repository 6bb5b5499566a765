// Properties of connection slots: unauthenticated connections never evict authenticated ones or known addresses.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type ConnectionSlot, type ConnectionLimits, ConnectionSlots } from './connection-slots.ts';

const LIMITS: ConnectionLimits = {
  unauthenticated: 6,
  reserved: 3,
  perAddress: 3,
  withinMs: 100,
  perAccount: 4,
  authenticated: 9,
};

class SlotsUnderTest {
  now = 0;
  readonly evicted: string[] = [];
  readonly places: ConnectionSlots;

  constructor(limits: Partial<ConnectionLimits> = {}) {
    this.places = new ConnectionSlots({ ...LIMITS, ...limits }, () => this.now);
  }

  come(address: string, name = address): ConnectionSlot {
    return this.places.acquire(address, () => this.evicted.push(name));
  }
}

test('evicts the oldest connection of the same address, or the same /64, beyond its limit', () => {
  const slots = new SlotsUnderTest();
  for (const host of [1, 2, 3, 4]) slots.come(`2001:db8::${host}`, `host ${host}`);
  slots.come('2001:db8:0:1::1', 'another network');
  expect(slots.evicted).toEqual(['host 1']);
});

test('evicts the oldest connection of the address with most when the total is reached', () => {
  const slots = new SlotsUnderTest();
  slots.come('192.0.2.1', 'alone');
  for (const name of ['a1', 'a2', 'a3']) slots.come('192.0.2.2', name);
  for (const name of ['b1', 'b2']) slots.come('192.0.2.3', name);
  slots.come('192.0.2.4', 'new');
  expect(slots.evicted).toEqual(['a1']);
});

test('never evicts authenticated connections, and gives their address slots of its own', () => {
  const slots = new SlotsUnderTest();
  expect(slots.come('192.0.2.1', 'owner').assignTo('anna')).toBe(true);
  slots.come('192.0.2.1', 'owner comes again');
  for (let host = 2; host < 250; host++) slots.come(`192.0.2.${host}`, 'stranger');
  expect(new Set(slots.evicted)).toEqual(new Set(['stranger']));
  expect([slots.places.authenticated, slots.places.unauthenticated]).toEqual([1, 7]);
});

test('reserves slots for an address marked as known before anything connects from it', () => {
  const slots = new SlotsUnderTest();
  slots.places.reserveFor('::ffff:192.0.2.9');
  slots.come('192.0.2.9', 'site');
  for (let host = 1; host < 9; host++) for (let nth = 0; nth < 9; nth++) slots.come(`198.51.100.${host}`, 'stranger');
  expect(slots.evicted).not.toContain('site');
});

test('evicts overdue connections on the next one, without a timer; a late one cannot become authenticated', () => {
  const slots = new SlotsUnderTest();
  const late = slots.come('192.0.2.1', 'late');
  slots.now = 99;
  slots.come('192.0.2.2', 'in time');
  slots.now = 100;
  slots.come('192.0.2.3', 'new');
  expect(slots.evicted).toEqual(['late']);
  expect(late.assignTo('anna')).toBe(false);
  expect(slots.places.authenticated).toBe(0);
});

test('extends the time of a connection while its authentication is in progress', () => {
  const slots = new SlotsUnderTest();
  const asked = slots.come('192.0.2.1', 'asked');
  slots.now = 50;
  asked.extend(200);
  slots.now = 249;
  slots.come('192.0.2.2', 'new');
  expect(slots.evicted).toEqual([]);
  slots.now = 251;
  slots.come('192.0.2.2', 'newer');
  expect(slots.evicted).toEqual(['asked']);
});

test('limits connections of an account over all addresses, and frees a slot on release', () => {
  const slots = new SlotsUnderTest({ perAddress: 100, unauthenticated: 100 });
  const places = [1, 2, 3, 4, 5].map((host) => slots.come(`192.0.2.${host}`));
  expect(places.map((place) => place.assignTo('anna'))).toEqual([true, true, true, true, false]);
  places[0]?.release();
  places[0]?.release();
  expect(slots.come('192.0.2.9').assignTo('anna')).toBe(true);
  expect(slots.places.countOf('anna')).toBe(4);
});

test('property: counts are right, limits hold, and unauthenticated connections never evict authenticated ones', () => {
  const address = fc.integer({ min: 1, max: 8 }).map((host) => `192.0.2.${host}`);
  const step = fc.oneof(
    fc.record({ kind: fc.constant('come' as const), address }),
    fc.record({
      kind: fc.constantFrom('hold' as const, 'leave' as const),
      nth: fc.nat(50),
      account: fc.constantFrom('anna', 'ben', 'cho'),
    }),
    fc.record({ kind: fc.constant('wait' as const), ms: fc.nat(60) }),
  );
  fc.assert(
    fc.property(fc.array(step, { maxLength: 120 }), (steps) => {
      let now = 0;
      const places = new ConnectionSlots(LIMITS, () => now);
      const open = new Map<ConnectionSlot, { address: string; account: string | null; since: number }>();
      const come = (from: string) => {
        const place: ConnectionSlot = places.acquire(from, () => {
          expect(open.get(place)?.account, 'who is known is not evicted').toBeNull();
          open.delete(place);
        });
        open.set(place, { address: from, account: null, since: now });
        const waiting = [...open.values()].filter(({ account }) => account === null);
        for (const { since } of waiting) expect(now - since).toBeLessThan(LIMITS.withinMs);
      };
      const openAt = (nth: number) => [...open][nth % Math.max(1, open.size)] ?? [];
      const leave = (nth: number) => {
        const [place] = openAt(nth);
        if (place === undefined) return;
        place.release();
        open.delete(place);
      };
      const assign = (nth: number, account: string) => {
        const [place, entry] = openAt(nth);
        if (place === undefined || entry?.account !== null) return;
        if (place.assignTo(account)) entry.account = account;
        else open.delete(place);
      };
      for (const one of steps) {
        if (one.kind === 'wait') now += one.ms;
        if (one.kind === 'come') come(one.address);
        if (one.kind === 'leave') leave(one.nth);
        if (one.kind === 'hold') assign(one.nth, one.account);
        const entries = [...open.values()];
        const waiting = entries.filter(({ account }) => account === null);
        expect(places.unauthenticated).toBe(waiting.length);
        expect(places.authenticated).toBe(entries.length - waiting.length);
        expect(places.authenticated).toBeLessThanOrEqual(LIMITS.authenticated);
        expect(waiting.length).toBeLessThanOrEqual(LIMITS.unauthenticated + LIMITS.reserved);
        for (const account of ['anna', 'ben', 'cho'])
          expect(places.countOf(account)).toBeLessThanOrEqual(LIMITS.perAccount);
        // An address that becomes known may have as many again among the known.
        for (const host of new Set(waiting.map((entry) => entry.address)))
          expect(waiting.filter((entry) => entry.address === host).length).toBeLessThanOrEqual(2 * LIMITS.perAddress);
      }
    }),
  );
});

test('who said something gets time to be looked at; an eviction and a release may come twice', () => {
  const slots = new SlotsUnderTest();
  const slow = slots.come('192.0.2.1', 'slow');
  const silent = slots.come('192.0.2.2', 'silent');
  slow.extend(1000);
  slots.now = 500;
  slots.places.evictOverdue();
  expect(slots.evicted).toEqual(['silent']);
  // Its connection closes only now; its slot is free since.
  silent.release();
  silent.release();
  expect(silent.assignTo('anna')).toBe(false);
  expect(slots.places.unauthenticated).toBe(1);
  expect(slow.assignTo('anna')).toBe(true);
  expect(slow.assignTo('bert')).toBe(false);
  slow.release();
  expect([slots.places.authenticated, slots.places.countOf('anna')]).toEqual([0, 0]);
});

test('remembers 4,096 addresses, and forgets the one that was used longest ago', () => {
  const slots = new SlotsUnderTest({ unauthenticated: 1, reserved: 4 });
  slots.places.reserveFor('192.0.2.1');
  slots.places.reserveFor('192.0.2.2');
  for (let at = 0; at < 4094; at += 1) slots.places.reserveFor(`10.1.${at >> 8}.${at & 255}`);
  // Used again: now the other one is the oldest.
  slots.places.reserveFor('192.0.2.1');
  slots.places.reserveFor('198.51.100.1');
  slots.come('192.0.2.1', 'known');
  slots.come('192.0.2.2', 'forgotten');
  slots.come('203.0.113.1', 'stranger');
  expect(slots.evicted).toEqual(['forgotten']);
});
