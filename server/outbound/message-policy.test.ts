// Network policy for addresses that a user named, in every spelling that a system resolves.
import { checkAddress as checkWithPolicy } from '@vedette/foundation/network/network-policy.ts';
import { describe, expect, it } from 'vitest';
import { type MessageAccess, messagePolicy } from './message-policy.ts';
import { OutboundClient } from './outbound-client.ts';

const policy = (part: Partial<MessageAccess> = {}): MessageAccess => ({
  isOperator: false,
  openNetworks: [],
  ownPorts: new Set([8443]),
  ...part,
});

const checkAddress = (address: string, port: number, access: MessageAccess) =>
  checkWithPolicy(address, port, messagePolicy(access));

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
    ['127.0.0.1', 'loopback'],
    ['127.8.9.10', 'loopback'],
    ['0.0.0.0', 'unusable'],
    ['169.254.169.254', 'link-local'],
    ['::1', 'loopback'],
    ['::', 'unusable'],
    ['::ffff:127.0.0.1', 'loopback'],
    ['::ffff:7f00:1', 'loopback'],
    ['::127.0.0.1', 'special'],
    ['::8.8.8.8', 'special'],
    ['::ffff:0:127.0.0.1', 'special'],
    ['64:ff9b::7f00:1', 'special'],
    ['64:ff9b::8.8.8.8', 'special'],
    ['64:ff9b:1::8.8.8.8', 'special'],
    ['2002:7f00:1::', 'special'],
    ['192.0.2.1', 'special'],
    ['2001::1', 'special'],
    ['2001:db8::1', 'special'],
    ['fec0::1', 'special'],
    ['fe80::1', 'link-local'],
    ['100::1', 'unusable'],
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
    expect(checkAddress('127.0.0.1', 80, operator)).toBe('loopback');
    expect(checkAddress('169.254.169.254', 80, operator)).toBe('link-local');
  });
  it('networks listed by the installation are allowed, its own ports never', () => {
    const open = policy({ openNetworks: ['127.0.0.0/8', 'nonsense', '10.9.0.0/16'] });
    expect(checkAddress('127.0.0.1', 80, open)).toBe('allowed');
    expect(checkAddress('10.9.8.7', 80, open)).toBe('allowed');
    expect(checkAddress('10.8.8.7', 80, open)).toBe('private');
    expect(checkAddress('127.0.0.1', 8443, open)).toBe('own-port');
    expect(checkAddress('0.0.0.0', 8443, open)).toBe('own-port');
    const all = policy({ openNetworks: ['0.0.0.0/0', '::/0'] });
    expect(checkAddress('64:ff9b::127.0.0.1', 80, all)).toBe('allowed');
    expect(checkAddress('64:ff9b::127.0.0.1', 8443, all)).toBe('own-port');
  });
  it('a listed network of IPv6 opens no IPv4 address', () => {
    const open = policy({ openNetworks: ['::/0'] });
    expect(checkAddress('10.0.0.1', 80, open)).toBe('private');
    expect(checkAddress('::ffff:10.0.0.1', 80, open)).toBe('private');
    expect(checkAddress('fd00::1', 80, open)).toBe('allowed');
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
