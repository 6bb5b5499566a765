// Parses IP addresses to bytes and says what kind of network one belongs to (RFC 6890), IPv4 inside IPv6 included.
import { isIPv4, isIPv6 } from 'node:net';

/** 4 bytes for IPv4; 16 for IPv6, zone dropped. Null for anything that is not a plain IP address. */
export function ipBytes(address: string): Uint8Array | null {
  if (isIPv4(address)) return Uint8Array.from(address.split('.'), Number);
  const [bare = ''] = address.split('%');
  return isIPv6(bare) ? ipv6Bytes(bare) : null;
}

function ipv6Bytes(address: string): Uint8Array {
  const [head = '', tail] = address.split('::');
  const before = groups(head);
  const after = tail === undefined ? [] : groups(tail);
  const bytes = new Uint8Array(16);
  bytes.set(before, 0);
  bytes.set(after, 16 - after.length);
  return bytes;
}

function groups(text: string): number[] {
  if (text === '') return [];
  return text.split(':').flatMap((group) => {
    if (group.includes('.')) return group.split('.').map(Number);
    const value = Number.parseInt(group, 16);
    return [value >> 8, value & 0xff];
  });
}

/** IPv4 carried in IPv6 (mapped, compatible, translated, NAT64, 6to4) leads to that IPv4 address, so it is judged as that. */
export function embeddedIpv4(bytes: Uint8Array): Uint8Array | null {
  if (bytes.length !== 16) return null;
  const isZero = (from: number, to: number) => bytes.subarray(from, to).every((byte) => byte === 0);
  const last = bytes.subarray(12);
  if (isZero(0, 10) && bytes[10] === 0xff && bytes[11] === 0xff) return last;
  if (isZero(0, 8) && bytes[8] === 0xff && bytes[9] === 0xff && isZero(10, 12)) return last;
  if (isZero(0, 12) && !isZero(12, 15)) return last;
  if (matches(bytes, nat64) && isZero(4, 12)) return last;
  if (bytes[0] === 0x20 && bytes[1] === 0x02) return bytes.subarray(2, 6);
  return null;
}

export interface IpNetwork {
  readonly bytes: Uint8Array;
  readonly prefixLength: number;
}

/** `10.0.0.0/8`, `fd00::/8`, or a single address. */
export function parseNetwork(text: string): IpNetwork | null {
  const [address = '', length, ...rest] = text.trim().split('/');
  const bytes = ipBytes(address);
  if (bytes === null || rest.length > 0) return null;
  const bits = bytes.length * 8;
  if (length === undefined) return { bytes, prefixLength: bits };
  if (!/^\d{1,3}$/u.test(length) || Number(length) > bits) return null;
  return { bytes, prefixLength: Number(length) };
}

export function matches(bytes: Uint8Array, network: IpNetwork): boolean {
  if (bytes.length !== network.bytes.length) return false;
  return network.bytes.every((byte, index) => {
    const bits = Math.min(8, Math.max(0, network.prefixLength - index * 8));
    const mask = (0xff00 >> bits) & 0xff;
    return (byte & mask) === ((bytes[index] ?? 0) & mask);
  });
}

export type AddressKind = 'public' | 'private' | 'loopback' | 'link-local' | 'unusable';

export function addressKind(bytes: Uint8Array): AddressKind {
  const inner = embeddedIpv4(bytes);
  if (inner !== null) return addressKind(inner);
  return kinds.find(({ networks }) => networks.some((network) => matches(bytes, network)))?.kind ?? 'public';
}

function network(text: string): IpNetwork {
  const parsed = parseNetwork(text);
  if (parsed === null) throw new TypeError(`not a network: ${text}`);
  return parsed;
}

const nat64 = network('64:ff9b::/96');

// "Unusable" cannot be a camera: this host (0/8 connects to loopback), multicast, documentation, reserved.
const kinds: readonly { readonly kind: AddressKind; readonly networks: readonly IpNetwork[] }[] = [
  { kind: 'loopback', networks: ['127.0.0.0/8', '::1/128'].map(network) },
  { kind: 'link-local', networks: ['169.254.0.0/16', 'fe80::/10'].map(network) },
  {
    kind: 'unusable',
    networks: ['0.0.0.0/8', '224.0.0.0/4', '240.0.0.0/4', '::/128', 'ff00::/8', '100::/64'].map(network),
  },
  {
    kind: 'private',
    networks: ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', '100.64.0.0/10', 'fc00::/7', 'fec0::/10'].map(network),
  },
];
