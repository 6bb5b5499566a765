// Parses lists of IP networks and tests whether an address is in one of them.
import { BlockList, isIP, isIPv6 } from 'node:net';

export interface IpNetwork {
  readonly start: string;
  readonly family: 4 | 6;
  readonly prefixLength: number;
}

const BITS = { 4: 32, 6: 128 } as const;
const FAMILY_NAMES = { 4: 'ipv4', 6: 'ipv6' } as const;

/** `10.0.0.0/8`, `fd00::/8`, or a single address; null for anything else. */
export function parseNetwork(text: string): IpNetwork | null {
  const [written = '', length, ...more] = text.trim().split('/');
  const start = withoutZone(written);
  const family = familyOf(start);
  if (family === null || more.length > 0) return null;
  const bits = BITS[family];
  if (length === undefined) return { start, family, prefixLength: bits };
  if (!/^\d{1,3}$/u.test(length) || Number(length) > bits) return null;
  return { start, family, prefixLength: Number(length) };
}

/** Null for what is no IP address. */
export function familyOf(address: string): 4 | 6 | null {
  const family = isIP(address);
  return family === 4 || family === 6 ? family : null;
}

/** Drops the zone: `fe80::1%eth0` is `fe80::1`, since networks are not bound to an interface. */
export function withoutZone(address: string): string {
  return isIPv6(address) ? (address.split('%')[0] ?? '') : address;
}

/** IPv4 addresses are looked for among IPv4 networks only: a BlockList of both families finds them in `::/0` too. */
export class IpNetworks {
  readonly #lists = { 4: new BlockList(), 6: new BlockList() } as const;

  /** Invalid entries match nothing. */
  constructor(entries: readonly string[]) {
    for (const entry of entries) {
      const network = parseNetwork(entry);
      if (network === null) continue;
      const { family, start, prefixLength } = network;
      this.#lists[family].addSubnet(start, prefixLength, FAMILY_NAMES[family]);
    }
  }

  has(address: string): boolean {
    const family = familyOf(address);
    return family !== null && this.#lists[family].check(address, FAMILY_NAMES[family]);
  }
}
