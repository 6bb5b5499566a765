// Network policy for addresses that messages go to: the public internet, private networks for the operator, and networks that are listed.
import type { AddressKind } from '@vedette/foundation/network/address-kind.ts';
import { IpNetworks } from '@vedette/foundation/network/ip-networks.ts';
import { type NetworkPolicy, ownInterfaceAddresses } from '@vedette/foundation/network/network-policy.ts';

export interface MessageAccess {
  /** The address was named by the operator, who may name private networks. */
  readonly isOperator: boolean;
  /** CIDR blocks that are open to everybody, be they private, loopback or link-local. */
  readonly openNetworks: readonly string[];
  /** Ports this installation listens on: refused at every address of this machine. */
  readonly ownPorts: ReadonlySet<number>;
}

const OPEN_KINDS: ReadonlySet<AddressKind> = new Set<AddressKind>(['public']);
const OPERATORS_KINDS: ReadonlySet<AddressKind> = new Set<AddressKind>(['public', 'private']);

/** What is listed is open, whatever it is; a translation could hide any address, and is open only if listed itself. */
export function messagePolicy({ isOperator, openNetworks, ownPorts }: MessageAccess): NetworkPolicy {
  return {
    openKinds: isOperator ? OPERATORS_KINDS : OPEN_KINDS,
    openNetworks: new IpNetworks(openNetworks),
    closedKinds: new Set(),
    translations: 'as-special',
    names: 'all-allowed',
    ownPorts,
    ownAddresses: ownInterfaceAddresses(),
  };
}
