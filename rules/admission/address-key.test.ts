// Address keys: in any spelling, one /64 is one key.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { addressKey } from './address-key.ts';

test('counts IPv4 addresses whole, also when mapped into IPv6 or NAT64', () => {
  const spellings = [
    '192.0.2.7',
    '::ffff:192.0.2.7',
    '::FFFF:c000:207',
    '0:0:0:0:0:ffff:c000:0207',
    '64:ff9b::192.0.2.7',
  ];
  for (const spelling of spellings) expect(addressKey(spelling), spelling).toBe('192.0.2.7');
});

test('[SE-85] counts IPv6 addresses by their /64, without the zone', () => {
  for (const spelling of ['2001:db8::1', '2001:0DB8:0:0:ffff::', '2001:db8:0:0:1:2:3:4', '2001:db8::192.0.2.7%eth0'])
    expect(addressKey(spelling), spelling).toBe('2001:db8:0:0::/64');
  expect(addressKey('2001:db8:0:1::1')).toBe('2001:db8:0:1::/64');
  expect(addressKey('::1')).toBe('0:0:0:0::/64');
  expect(addressKey('fe80::1%eth0')).toBe('fe80:0:0:0::/64');
});

test('counts anything else as written, with a bounded length', () => {
  for (const text of ['local', '1::2::3', '1:2:3', ':::', '1:2:3:4:5:6:7:8:9', '::300.1.1.1', 'g::1'])
    expect(addressKey(text)).toBe(text);
  fc.assert(fc.property(fc.string({ maxLength: 500 }), (text) => addressKey(text).length <= 64));
});

test('property: two addresses share a key exactly when their first 64 bits are equal', () => {
  const group = fc.integer({ min: 0, max: 0xffff });
  const written = fc.constantFrom<(value: number) => string>(
    (value) => value.toString(16),
    (value) => value.toString(16).padStart(4, '0').toUpperCase(),
  );
  const network = fc.tuple(fc.integer({ min: 0x2000, max: 0x3fff }), group, group, group);
  const host = fc.tuple(group, group, group, group);
  fc.assert(
    fc.property(
      fc.tuple(network, host),
      fc.tuple(network, host),
      written,
      ([one, oneHost], [other, otherHost], write) => {
        const keyOf = (...groups: readonly number[]) => addressKey(groups.map(write).join(':'));
        const isSame = one.join() === other.join();
        expect(keyOf(...one, ...oneHost) === keyOf(...other, ...otherHost)).toBe(isSame);
        expect(keyOf(...one, ...oneHost)).toBe(keyOf(...one, ...otherHost));
      },
    ),
  );
});
