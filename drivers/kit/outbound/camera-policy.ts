// Network policy for camera addresses: private networks for everybody, loopback and link-local for the operator.
import type { AddressKind } from '@vedette/foundation/network/address-kind.ts';
import { IpNetworks } from '@vedette/foundation/network/ip-networks.ts';
import type { NetworkPolicy } from '@vedette/foundation/network/network-policy.ts';

export interface CameraAccess {
  /** The operator (userType super) gave the address, and may use loopback and link-local. */
  readonly isOperator: boolean;
  /** The `cameraNetworks` setting: networks allowed for everyone, even loopback or link-local. */
  readonly cameraNetworks: readonly string[];
  /** Ports this installation listens on; refused at every address of this machine, for the operator too. */
  readonly ownPorts: ReadonlySet<number>;
  /** Addresses of this machine's interfaces. */
  readonly ownAddresses: readonly string[];
}

/** Cameras exist in all kinds of networks, even those reserved for documentation. */
const EVERYBODYS: readonly AddressKind[] = ['public', 'private', 'special'];
const OPEN_KINDS: ReadonlySet<AddressKind> = new Set(EVERYBODYS);
const OPERATORS_KINDS: ReadonlySet<AddressKind> = new Set([...EVERYBODYS, 'loopback', 'link-local']);
const CLOSED_KINDS: ReadonlySet<AddressKind> = new Set<AddressKind>(['unusable']);

export function cameraPolicy({ isOperator, cameraNetworks, ownPorts, ownAddresses }: CameraAccess): NetworkPolicy {
  return {
    openKinds: isOperator ? OPERATORS_KINDS : OPEN_KINDS,
    openNetworks: new IpNetworks(cameraNetworks),
    closedKinds: CLOSED_KINDS,
    translations: 'as-ipv4',
    names: 'some-allowed',
    ownPorts,
    ownAddresses,
  };
}
