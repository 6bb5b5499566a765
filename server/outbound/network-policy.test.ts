// Network policy for addresses that a user named, in every spelling that a system resolves.
import { describe, expect, it } from 'vitest';
import { type NetworkPolicy, checkAddress } from './network-policy.ts';
import { OutboundClient } from './outbound-client.ts';

const policy = (part: Partial<NetworkPolicy> = {}): NetworkPolicy => ({
  isOperator: false,
  openNetworks: [],
  ownPorts: new Set([8443]),
  ...part,
});

describe('[SE-64] addresses', () => {
  it.each([
    ['93.184.215.14', 'allowed'],
    ['2606:2800:21f:cb07::1', 'allowed'],
    ['10.1.2.3', 'private'],
    ['192.168.1.1', 'private'],
    ['172.31.255.255', 'private'],
    ['100.64.0.1', 'private'],
    ['fd00::1', 'private'],
    ['::ffff:10.0.0.1', 'private'],
    ['127.0.0.1', 'unusable'],
    ['127.8.9.10', 'unusable'],
    ['0.0.0.0', 'unusable'],
    ['169.254.169.254', 'unusable'],
    ['::1', 'unusable'],
    ['::', 'unusable'],
    ['::ffff:127.0.0.1', 'unusable'],
    ['::ffff:7f00:1', 'unusable'],
    ['::127.0.0.1', 'unusable'],
    ['::ffff:0:127.0.0.1', 'unusable'],
    ['64:ff9b::7f00:1', 'unusable'],
    ['2002:7f00:1::', 'unusable'],
    ['fe80::1', 'unusable'],
    ['224.0.0.1', 'unusable'],
    ['255.255.255.255', 'unusable'],
    ['localhost', 'unusable'],
    ['', 'unusable'],
  ])('%s is %s for every account', (address, verdict) => {
    expect(checkAddress(address, 80, policy())).toBe(verdict);
  });
  it('the operator may dial private networks, but neither this machine nor its link', () => {
    const operator = policy({ isOperator: true });
    expect(checkAddress('10.1.2.3', 80, operator)).toBe('allowed');
    expect(checkAddress('127.0.0.1', 80, operator)).toBe('unusable');
    expect(checkAddress('169.254.169.254', 80, operator)).toBe('unusable');
  });
  it('networks listed by the installation are allowed, its own ports never', () => {
    const open = policy({ openNetworks: ['127.0.0.0/8', 'nonsense', '10.9.0.0/16'] });
    expect(checkAddress('127.0.0.1', 80, open)).toBe('allowed');
    expect(checkAddress('10.9.8.7', 80, open)).toBe('allowed');
    expect(checkAddress('10.8.8.7', 80, open)).toBe('private');
    expect(checkAddress('127.0.0.1', 8443, open)).toBe('own-port');
  });
});

const client = new OutboundClient({ policy: async () => policy() });
const LOOPBACK = [
  '127.0.0.1',
  '127.1',
  '0x7f.1',
  '0177.0.0.1',
  '2130706433',
  '[::1]',
  '[::ffff:127.0.0.1]',
  'localhost',
];

it.each([
  ...LOOPBACK.map((host) => `http://${host}/x`),
  'file:///etc/passwd',
  'gopher://127.0.0.1/',
  'http://user:pass@example.com/',
  'not an address',
])('[SE-64] %s is not dialled', async (url) => {
  const request = { method: 'POST', url, headers: {}, body: '' } as const;
  await expect(client.http(request, { isOperator: false, accountId: 'guest' })).rejects.toMatchObject({
    kind: 'address',
  });
});
