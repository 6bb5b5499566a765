// Which servers may work together, and which of two that do not fit goes.
import { describe, expect, it } from 'vitest';
import type { ServerNodeRow } from '../database/schema/server-node-schema.ts';
import { keyCheckOf, livingOthers, NODE_GONE_MS, refusalOf } from './node-judge.ts';

const NOW = 1_000_000;
const node = (change: Partial<ServerNodeRow> = {}): ServerNodeRow => ({
  node_id: 'a',
  address: '10.0.0.1:8810',
  fingerprint: 'f',
  release: '1.4.2',
  key_check: 'k',
  started_at: NOW - 60_000,
  seen_at: NOW - 1000,
  ...change,
});
const own = node({ node_id: 'b', address: '10.0.0.2:8810', started_at: NOW - 1000 });
const codeOf = (other: ServerNodeRow | null, wallMs = NOW) =>
  refusalOf({ own, wallMs, now: NOW, rows: other === null ? [own] : [own, other] })?.code ?? null;

describe('a server', () => {
  it('that is alone or fits takes part', () => {
    expect(codeOf(null)).toBeNull();
    expect(codeOf(node())).toBeNull();
  });

  it('with another master key is refused, and the one that was there first is not', () => {
    expect(codeOf(node({ key_check: 'other' }))).toBe('masterKeyDiffers');
    expect(codeOf(node({ key_check: 'other', started_at: NOW }))).toBeNull();
    expect(codeOf(node({ key_check: 'other', started_at: own.started_at })), 'of two at once one goes').toBe(
      'masterKeyDiffers',
    );
  });

  it.each([
    ['1.4.9', null],
    ['1.5.0', null],
    ['1.3.0', null],
    ['1.6.0', 'releaseDiffers'],
    ['1.2.0', 'releaseDiffers'],
    ['2.4.2', 'releaseDiffers'],
  ])('of release 1.4.2 beside %s: %s', (release, code) => expect(codeOf(node({ release }))).toBe(code));

  it('does not ask one that is gone', () => {
    expect(codeOf(node({ key_check: 'other', seen_at: NOW - NODE_GONE_MS }))).toBeNull();
    const rows = [own, node({ seen_at: NOW - NODE_GONE_MS + 1 }), node({ node_id: 'c', seen_at: 0 })];
    expect(livingOthers(rows, { nodeId: 'b', now: NOW }).map(({ node_id: id }) => id)).toEqual(['a']);
  });

  it('whose clock is a minute off is refused in words', () => {
    expect(codeOf(null, NOW + 60_000)).toBeNull();
    expect(codeOf(null, NOW + 60_001)).toBe('clockDiffers');
    const { message } = refusalOf({ own, wallMs: NOW - 300_000, now: NOW, rows: [own] }) ?? {};
    expect(message).toBe('the clock of this machine is 300 s behind that of the database.');
  });
});

it('the check of a key differs by the key, and is not the key', () => {
  const [one, other] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)];
  expect(keyCheckOf(one)).toBe(keyCheckOf(Buffer.alloc(32, 1)));
  expect(keyCheckOf(one)).not.toBe(keyCheckOf(other));
  expect(keyCheckOf(one)).not.toContain(one.toString('hex'));
});
