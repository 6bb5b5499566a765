// Whether a direct connection is worth an attempt, by the site's addresses.
import { NAT_MODE } from '@vedette/contract/enumerations.ts';
import { expect, it } from 'vitest';
import { natFactor } from './nat.facts.ts';

const NOW = 10_000_000;
const site = {
  site_id: 'aa',
  owner_id: 'o',
  site_name: 'Harbour',
  serial: 'S',
  credential_hash: null,
  code_hash: null,
  code_until: null,
  code_tries: 0,
  product_version: '',
  public_address: '203.0.113.7',
  direct_addresses: ['192.168.1.9'],
  last_seen: 9_000_000,
  direct_at: null,
  is_direct: null,
  created_at: 1,
  node_id: null,
};

it.each([
  ['beside the server', { site_id: 'local' }, { mode: NAT_MODE.centre, factor: 100, timestamp: NOW }],
  ['untried behind a router', {}, { mode: NAT_MODE.untried, factor: 40, timestamp: 9_000_000 }],
  [
    'untried with an open address',
    { direct_addresses: ['203.0.113.7'] },
    { mode: NAT_MODE.untried, factor: 80, timestamp: 9_000_000 },
  ],
  ['without an address', { direct_addresses: [] }, { mode: NAT_MODE.relayed, factor: 0, timestamp: 9_000_000 }],
  [
    'came through',
    { direct_at: NOW - 1000, is_direct: true },
    { mode: NAT_MODE.direct, factor: 100, timestamp: NOW - 1000 },
  ],
  [
    'led nowhere',
    { direct_at: NOW - 1000, is_direct: false },
    { mode: NAT_MODE.relayed, factor: 0, timestamp: NOW - 1000 },
  ],
  [
    'led nowhere long ago',
    { direct_at: NOW - 700_000, is_direct: false },
    { mode: NAT_MODE.untried, factor: 40, timestamp: 9_000_000 },
  ],
] as const)('[LV-08] a site that %s', (_name, change, expected) => {
  const { direct_addresses = site.direct_addresses } = change as { direct_addresses?: readonly string[] };
  const answer = natFactor({ ...site, ...change, direct_addresses: [...direct_addresses] }, 'CAM', NOW);
  expect(answer).toMatchObject(expected);
});

it("[LV-08] the key depends on the site's addresses and differs by device", () => {
  const key = (change: object, serial = 'CAM') => natFactor({ ...site, ...change }, serial, NOW).devKey;
  expect(new Set([key({}), key({ public_address: '203.0.113.8' }), key({}, 'OTHER')]).size).toBe(3);
  expect(key({ last_seen: 1 })).toBe(key({}));
});
