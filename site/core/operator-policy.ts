// Network policy for what operators name, object stores and CDN providers: public and private networks, and what they have listed as camera networks.
import type { AddressKind } from '@vedette/foundation/network/address-kind.ts';
import { IpNetworks } from '@vedette/foundation/network/ip-networks.ts';
import { type NetworkPolicy, ownInterfaceAddresses } from '@vedette/foundation/network/network-policy.ts';

const OPEN_KINDS: ReadonlySet<AddressKind> = new Set<AddressKind>(['public', 'private']);
const CLOSED_KINDS: ReadonlySet<AddressKind> = new Set<AddressKind>(['unusable']);

export function operatorPolicy(listed: readonly string[], ownPorts: ReadonlySet<number>): NetworkPolicy {
  return {
    openKinds: OPEN_KINDS,
    openNetworks: new IpNetworks(listed),
    closedKinds: CLOSED_KINDS,
    translations: 'as-special',
    names: 'all-allowed',
    ownPorts,
    ownAddresses: ownInterfaceAddresses(),
  };
}
