// Network policy against SSRF: decides whether a resolved address and port may be dialled; who may reach what is data.
import { networkInterfaces } from 'node:os';
import { type AddressKind, classifyAddress } from './address-kind.ts';
import { IpNetworks } from './ip-networks.ts';

export interface NetworkPolicy {
  /** Kinds allowed without being listed. */
  readonly openKinds: ReadonlySet<AddressKind>;
  /** Networks allowed as well, whatever their kind. */
  readonly openNetworks: IpNetworks;
  /** Kinds that stay refused even in a listed network. */
  readonly closedKinds: ReadonlySet<AddressKind>;
  /** Embedded IPv4 addresses are checked as IPv4, or count as `special`. */
  readonly translations: 'as-ipv4' | 'as-special';
  /** For names with several addresses: require all to be allowed and dial the first, or try the allowed ones. */
  readonly names: 'all-allowed' | 'some-allowed';
  /** Ports this installation listens on: refused at every address of this machine. */
  readonly ownPorts: ReadonlySet<number>;
  /** Addresses of this machine's interfaces. */
  readonly ownAddresses: readonly string[];
}

export type AddressVerdict = 'allowed' | 'own-port' | AddressKind;

/** What the system connects to itself. */
const UNSPECIFIED = new IpNetworks(['0.0.0.0', '::']);

/** Checks `text`, an address as the system resolved it; the result is the kind of a refused address. */
export function checkAddress(text: string, port: number, policy: NetworkPolicy): AddressVerdict {
  const classified = classifyAddress(text);
  if (classified === null) return 'unusable';
  if (policy.ownPorts.has(port) && isOwn(text, classified, policy)) return 'own-port';
  const isHidden = classified.isTranslated && policy.translations === 'as-special';
  const { address, kind } = isHidden ? { address: text, kind: 'special' as const } : classified;
  if (policy.openKinds.has(kind)) return 'allowed';
  return !policy.closedKinds.has(kind) && policy.openNetworks.has(address) ? 'allowed' : kind;
}

/** An embedded IPv4 address is checked as IPv4 and as IPv6: both may lead here. */
function isOwn(
  text: string,
  { address, kind }: { readonly address: string; readonly kind: AddressKind },
  { ownAddresses }: NetworkPolicy,
): boolean {
  if (kind === 'loopback' || UNSPECIFIED.has(address)) return true;
  const own = new IpNetworks(ownAddresses);
  return own.has(address) || own.has(text);
}

export function ownInterfaceAddresses(): string[] {
  return Object.values(networkInterfaces()).flatMap((entries) => (entries ?? []).map(({ address }) => address));
}
