// When tickets open, stay valid and end.
import { createHash } from 'node:crypto';
import type { TicketGrant } from '@vedette/contract/site/site.ts';
import { beforeEach, expect, test } from 'vitest';
import { TicketRegistry } from './ticket-registry.ts';

let now = 1_000_000;
/** Of the wall clock, whenever somebody sets it. */
let offset = 0;
let registry: TicketRegistry;
beforeEach(() => {
  now = 1_000_000;
  offset = 1e12;
  registry = new TicketRegistry({ wallMs: () => now + offset, monotonicMs: () => now, after: () => () => undefined });
});

function grant(id: string, more: Partial<TicketGrant> = {}): TicketGrant {
  return {
    ticketId: id,
    ticketHash: createHash('sha256').update(`ticket-${id}`).digest('hex'),
    userId: 'u',
    sessionId: 's',
    kind: 'hls',
    deviceSerial: 'D1',
    channelNo: 1,
    quality: 0,
    range: null,
    firstUseBefore: now + offset + 60_000,
    until: null,
    probeId: null,
    ...more,
  };
}

const open = (id: string) => registry.open(`ticket-${id}`, ['hls']);
const code = (id: string) => {
  const answer = open(id);
  return 'code' in answer ? answer.code : 200;
};

test('a ticket is used first within its time, then lives while it is used', () => {
  registry.add([grant('a'), grant('b')]);
  now += 59_000;
  expect(code('a')).toBe(200);
  now += 50_000;
  expect([code('a'), code('b')]).toEqual([200, 1002]);
  now += 61_000;
  expect(code('a')).toBe(1002);
});

test.each([
  3_600_000, -3_600_000, 86_400_000, -86_400_000,
])('[FT-07] a clock step of %i ms neither ends nor extends a ticket, used or not', (stepMs) => {
  registry.add([grant('used'), grant('new'), grant('late')]);
  expect(code('used')).toBe(200);
  offset += stepMs;
  now += 30_000;
  registry.sweep();
  expect([code('used'), code('new')]).toEqual([200, 200]);
  now += 31_000;
  registry.sweep();
  expect([code('used'), code('new'), code('late')]).toEqual([200, 200, 1002]);
});

test('a held ticket does not go idle', () => {
  registry.add([grant('a')]);
  const opened = open('a');
  const release = 'grant' in opened ? opened.hold() : () => undefined;
  now += 3_600_000;
  registry.sweep();
  expect('ended' in opened && opened.ended.aborted).toBe(false);
  release();
  now += 61_000;
  registry.sweep();
  expect('ended' in opened && opened.ended.aborted).toBe(true);
});

test('a revoked ticket ends at once with its code', () => {
  registry.add([grant('a'), grant('b')]);
  const opened = open('a');
  expect(registry.revoke(['a', 'b', 'unknown'], 1017)).toBe(1);
  expect('ended' in opened && opened.ended.aborted).toBe(true);
  expect(open('a')).toEqual({ status: 403, code: 1017 });
  expect(registry.ids()).toEqual([]);
});

test('the right ends at its instant', () => {
  registry.add([grant('a', { until: now + offset + 5000 })]);
  expect(code('a')).toBe(200);
  now += 5000;
  expect(code('a')).toBe(1017);
});

test('a ticket of another kind or an unknown text opens nothing', () => {
  registry.add([grant('a', { kind: 'snapshot' })]);
  expect(open('a')).toEqual({ status: 403, code: 1004 });
  expect(open('x')).toEqual({ status: 401, code: 1001 });
});

test('ended tickets are forgotten', () => {
  registry.add([grant('a')]);
  registry.revoke(['a'], 1004);
  now += 61_000;
  registry.sweep();
  expect(registry.size).toBe(0);
});

test('[SE-44] a ticket in use opens no second media session, and opens again after its release', () => {
  registry.add([grant('a', { kind: 'live' })]);
  const use = () => registry.open('ticket-a', ['live'], { alone: true });
  const held = use();
  const release = 'grant' in held ? held.hold() : () => undefined;
  expect(use()).toEqual({ status: 403, code: 1004 });
  release();
  expect('grant' in use()).toBe(true);
});

test('[SE-100] too many tickets of one session evict only its own unused ones', () => {
  registry.add([grant('other', { sessionId: 'other' }), grant('used'), grant('unused')]);
  expect(code('used')).toBe(200);
  registry.add(Array.from({ length: 1500 }, (_none, index) => grant(`flood-${index}`)));
  expect(registry.size).toBe(1001);
  expect([code('other'), code('used'), code('unused'), code('flood-1499')]).toEqual([200, 200, 1001, 200]);
});
