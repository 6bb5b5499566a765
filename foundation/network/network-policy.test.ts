// Tests of address kinds, lists of networks and the policy over them, in every spelling that a system resolves.
import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { type AddressKind, classifyAddress } from './address-kind.ts';
import { IpNetworks, parseNetwork } from './ip-networks.ts';
import { checkAddress, type NetworkPolicy } from './network-policy.ts';

const policy: NetworkPolicy = {
  openKinds: new Set<AddressKind>(['public']),
  openNetworks: new IpNetworks([]),
  closedKinds: new Set(),
  translations: 'as-ipv4',
  names: 'all-allowed',
  ownPorts: new Set([8443]),
  ownAddresses: ['8.8.8.8', 'fd00::5'],
};

describe('networks', () => {
  test.each([
    '10.0.0.0/8',
    '192.0.2.1',
    '192.0.2.1/32',
    'fd00::/8',
    '::1/128',
    '0.0.0.0/0',
    'fe80::1%eth0',
  ])('[SE-64] %s is one', (text) => expect(parseNetwork(text)).not.toBeNull());

  test.each([
    '',
    'everything',
    '10.0.0.0/33',
    '10.0.0/8',
    '010.0.0.1/8x',
    'fd00::/129',
    '10.0.0.0/8/8',
    '10.0.0.0/-1',
    '10.0.0.0/',
    '10.0.0.1%eth0',
    '0x7f.1',
    '[::1]',
  ])('[SE-64] %j is none', (text) => expect(parseNetwork(text)).toBeNull());

  it('hold addresses of their own family only', () => {
    expect(new IpNetworks(['::/0']).has('10.0.0.1')).toBe(false);
    expect(new IpNetworks(['::ffff:0:0/96']).has('10.0.0.1')).toBe(false);
    expect(new IpNetworks(['0.0.0.0/0', 'nonsense']).has('::1')).toBe(false);
    expect(new IpNetworks(['10.0.0.9/8']).has('10.200.0.1')).toBe(true);
  });
});

describe('kinds', () => {
  test.each<[string, AddressKind]>([
    ['8.8.8.8', 'public'],
    ['172.32.0.1', 'public'],
    ['100.128.0.1', 'public'],
    ['2606:2800:21f:cb07::1', 'public'],
    ['172.31.255.255', 'private'],
    ['100.64.0.1', 'private'],
    ['fdff::1', 'private'],
    ['127.255.255.254', 'loopback'],
    ['0:0:0:0:0:0:0:1', 'loopback'],
    ['::0001', 'loopback'],
    ['169.254.169.254', 'link-local'],
    ['febf:ffff::1', 'link-local'],
    ['fe80::1%eth0', 'link-local'],
    ['192.0.0.8', 'special'],
    ['198.19.255.255', 'special'],
    ['2001:0:1::', 'special'],
    ['192.88.99.1', 'special'],
    ['2001:2::1', 'special'],
    ['3fff::1', 'special'],
    ['5f00::1', 'special'],
    ['fec0::1', 'special'],
    ['0.1.2.3', 'unusable'],
    ['239.255.255.255', 'unusable'],
    ['255.255.255.255', 'unusable'],
    ['::', 'unusable'],
    ['64:ff9b:1:ffff::1', 'unusable'],
    ['100::1', 'unusable'],
    ['100:0:0:1::1', 'unusable'],
    ['ff02::1', 'unusable'],
  ])('%s is %s', (address, kind) => expect(classifyAddress(address)?.kind).toBe(kind));

  test.each([
    'localhost',
    '',
    '127.1',
    '0x7f.1',
    '2130706433',
    '01.2.3.4',
    '1::2::3',
    '[::1]',
    '10.0.0.1%eth0',
  ])('%j is no address', (text) => {
    expect(classifyAddress(text)).toBeNull();
    expect(checkAddress(text, 80, policy)).toBe('unusable');
  });

  it('an address of IPv4 is the same in each spelling within IPv6', () => {
    fc.assert(
      fc.property(fc.ipV4(), (ipv4) => {
        const expected = classifyAddress(ipv4);
        const digits = ipv4
          .split('.')
          .map((byte) => Number(byte).toString(16).padStart(2, '0'))
          .join('');
        const groups = `${digits.slice(0, 4)}:${digits.slice(4)}`;
        for (const mapped of [`::ffff:${ipv4}`, `::FFFF:${groups}`, `0:0:0:0:0:ffff:${groups}`]) {
          expect(classifyAddress(mapped)).toEqual(expected);
        }
        const translated = [
          `::ffff:0:${ipv4}`,
          `64:ff9b::${groups}`,
          `64:ff9b:1::${ipv4}`,
          `2002:${groups}::`,
          `2002:${groups}::1:2`,
        ];
        for (const address of translated) expect(classifyAddress(address)).toEqual({ ...expected, isTranslated: true });
      }),
    );
  });
});

describe('verdicts', () => {
  it('name the kind of what is refused', () => {
    expect(checkAddress('93.184.215.14', 80, policy)).toBe('allowed');
    expect(checkAddress('10.0.0.1', 80, policy)).toBe('private');
    expect(checkAddress('64:ff9b::10.0.0.1', 80, policy)).toBe('private');
    expect(checkAddress('64:ff9b::10.0.0.1', 80, { ...policy, translations: 'as-special' })).toBe('special');
  });

  it('open what is listed, except where no list counts', () => {
    const listed = { ...policy, openNetworks: new IpNetworks(['127.0.0.0/8', '0.0.0.0/8']) };
    expect(checkAddress('127.0.0.1', 80, listed)).toBe('allowed');
    expect(checkAddress('0.1.2.3', 80, listed)).toBe('allowed');
    const closed = { ...listed, closedKinds: new Set<AddressKind>(['unusable']) };
    expect(checkAddress('0.1.2.3', 80, closed)).toBe('unusable');
  });

  test.each([
    '127.0.0.1',
    '0.0.0.0',
    '::',
    '::1',
    '8.8.8.8',
    '::ffff:8.8.8.8',
    '64:ff9b::8.8.8.8',
    'fd00:0::0:5',
  ])('refuse our own port at %s to everybody', (address) => {
    const kinds: AddressKind[] = ['public', 'private', 'loopback', 'link-local', 'special', 'unusable'];
    const open = { ...policy, openKinds: new Set(kinds), openNetworks: new IpNetworks(['0.0.0.0/0', '::/0']) };
    for (const translations of ['as-ipv4', 'as-special'] as const) {
      expect(checkAddress(address, 8443, { ...open, translations })).toBe('own-port');
      expect(checkAddress(address, 8444, { ...open, translations })).toBe('allowed');
    }
  });
});
