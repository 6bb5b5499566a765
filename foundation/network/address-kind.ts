// Classifies IP addresses by the network they belong to (RFC 6890); IPv4 carried in IPv6 is read as that IPv4 address.
import { IpNetworks, familyOf, withoutZone } from './ip-networks.ts';

/** `special`: documentation, benchmarks, protocols of their own, retired and local translations. `unusable`: no host can have it. */
export type AddressKind = 'public' | 'private' | 'loopback' | 'link-local' | 'special' | 'unusable';

export interface ClassifiedAddress {
  /** Without a zone; IPv4 carried in IPv6 as IPv4. */
  readonly address: string;
  readonly kind: AddressKind;
  /** The IPv4 address was embedded in IPv6 (RFC 6052, RFC 8215, RFC 3056, RFC 2765, RFC 4291 2.5.5.1): a translator may send it to another machine. */
  readonly isTranslated: boolean;
}

const KINDS: readonly (readonly [AddressKind, IpNetworks])[] = [
  ['loopback', new IpNetworks(['127.0.0.0/8', '::1'])],
  ['link-local', new IpNetworks(['169.254.0.0/16', 'fe80::/10'])],
  // 0.0.0.0/8 is this host; 100::/32 discards and fills in (RFC 6666, RFC 9780).
  ['unusable', new IpNetworks(['0.0.0.0/8', '224.0.0.0/4', '240.0.0.0/4', '::', 'ff00::/8', '100::/32'])],
  // 100.64.0.0/10 is carrier-grade NAT.
  ['private', new IpNetworks(['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', '100.64.0.0/10', 'fc00::/7'])],
  [
    'special',
    new IpNetworks([
      '192.0.0.0/24',
      '192.0.2.0/24',
      // Retired relays of 6to4 (RFC 7526).
      '192.88.99.0/24',
      '198.18.0.0/15',
      '198.51.100.0/24',
      '203.0.113.0/24',
      '64:ff9b:1::/48',
      // Protocols of their own: Teredo, benchmarks, ORCHID (RFC 2928).
      '2001::/23',
      '2001:db8::/32',
      '3fff::/20',
      // Segments of routers (RFC 9602).
      '5f00::/16',
      'fec0::/10',
    ]),
  ],
];

interface Carrier {
  /** Hexadecimal digits. */
  readonly prefix: string;
  /** Where the IPv4 address begins, in digits. */
  readonly at: number;
  readonly isTranslation: boolean;
}

/** Where IPv6 carries IPv4. Of local translations (RFC 8215) those with a prefix of 96 bits are read. */
const CARRIERS: readonly Carrier[] = [
  { prefix: '00000000000000000000ffff', at: 24, isTranslation: false },
  { prefix: '0000000000000000ffff0000', at: 24, isTranslation: true },
  { prefix: '0064ff9b0000000000000000', at: 24, isTranslation: true },
  { prefix: '0064ff9b0001', at: 24, isTranslation: true },
  { prefix: '000000000000000000000000', at: 24, isTranslation: true },
  { prefix: '2002', at: 4, isTranslation: true },
];
/** `::` and `::1` look like embedded IPv4 in its oldest form. */
const CARRY_NOTHING = new IpNetworks(['::/127']);

/** Null for anything that is no IP address. */
export function classifyAddress(text: string): ClassifiedAddress | null {
  const address = withoutZone(text);
  const family = familyOf(address);
  if (family === null) return null;
  const carried = family === 6 ? carriedIpv4(address) : null;
  return carried ?? { address, kind: kindOf(address), isTranslated: false };
}

function kindOf(address: string): AddressKind {
  return KINDS.find(([, networks]) => networks.has(address))?.[0] ?? 'public';
}

function carriedIpv4(ipv6: string): ClassifiedAddress | null {
  if (CARRY_NOTHING.has(ipv6)) return null;
  const digits = digitsOf(ipv6);
  const carrier = CARRIERS.find(({ prefix }) => digits.startsWith(prefix));
  if (carrier === undefined) return null;
  const bytes = [0, 2, 4, 6]
    .map((place) => carrier.at + place)
    .map((at) => Number.parseInt(digits.slice(at, at + 2), 16));
  const address = bytes.join('.');
  return { address, kind: kindOf(address), isTranslated: carrier.isTranslation };
}

/** All 32 hexadecimal digits of an IPv6 address. */
function digitsOf(ipv6: string): string {
  const [head = '', tail = ''] = ipv6.split('::').map(groupDigits);
  return `${head}${'0'.repeat(32 - head.length - tail.length)}${tail}`;
}

function groupDigits(groups: string): string {
  if (groups === '') return '';
  const digits = groups.split(':').map((group) => (group.includes('.') ? dottedDigits(group) : group.padStart(4, '0')));
  return digits.join('').toLowerCase();
}

function dottedDigits(ipv4: string): string {
  const bytes = ipv4.split('.').map((byte) => Number(byte).toString(16).padStart(2, '0'));
  return bytes.join('');
}
