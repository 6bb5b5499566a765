// Under which key the address of a connection is counted.

import { expect, it } from 'vitest';
import { addressKey, createProxyTest } from './peer.js';

it('[SE-85] IPv4 counts whole, also as a dual-stack socket shows it', () => {
  for (const address of ['192.0.2.7', '::ffff:192.0.2.7', '::FFFF:192.0.2.7'])
    expect(addressKey(address)).toBe('192.0.2.7');
});

it('[SE-85] IPv6 counts by its /64, without its zone', () => {
  for (const address of ['2001:db8::1', '2001:db8:0:0:1:2:3:4', '2001:db8::ffff:1%eth0'])
    expect(addressKey(address)).toBe('2001:db8:0:0::/64');
  expect(addressKey('2001:db8:0:1::1')).toBe('2001:db8:0:1::/64');
  expect(addressKey('1::3:4:5:6:7')).toBe('1:0:0:3::/64');
  expect(addressKey('::1')).toBe('0:0:0:0::/64');
  expect(addressKey('fe80::1%eth0')).toBe('fe80:0:0:0::/64');
});

it('a connection that is over has no address and counts as one of these', () => {
  expect(addressKey('')).toBe('');
});

it('proxies are known by address or range, in both families', () => {
  const isProxy = createProxyTest(['10.0.0.1', 'fd00::/8']);
  for (const address of ['10.0.0.1', '::ffff:10.0.0.1', 'fd12::9']) expect(isProxy(address)).toBe(true);
  for (const address of ['10.0.0.2', '2001:db8::1']) expect(isProxy(address)).toBe(false);
});
