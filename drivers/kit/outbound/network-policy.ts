// Decides whether a resolved address and port may be dialled for a camera (architecture: network policy for camera addresses).
import { type IpNetwork, addressKind, embeddedIpv4, ipBytes, matches, parseNetwork } from './ip-address.ts';

export interface NetworkPolicy {
  /** The address was given by the operator (userType super), who may name loopback and link-local. */
  readonly isOperator: boolean;
  /** The `cameraNetworks` setting: networks open to everyone, be they loopback or link-local. */
  readonly cameraNetworks: readonly IpNetwork[];
  /** Ports this installation listens on; refused at every address of this machine, for the operator too. */
  readonly ownPorts: ReadonlySet<number>;
  /** Addresses of this machine's interfaces. */
  readonly ownAddresses: readonly string[];
}

export type PolicyDecision = 'allowed' | 'own-port' | 'loopback' | 'link-local' | 'unusable';

export function checkAddress(address: string, port: number, policy: NetworkPolicy): PolicyDecision {
  const given = ipBytes(address);
  if (given === null) return 'unusable';
  const bytes = embeddedIpv4(given) ?? given;
  const kind = addressKind(bytes);
  if (kind === 'unusable') return 'unusable';
  if (policy.ownPorts.has(port) && (kind === 'loopback' || isOwn(bytes, policy.ownAddresses))) return 'own-port';
  if (kind === 'public' || kind === 'private') return 'allowed';
  if (policy.isOperator) return 'allowed';
  return policy.cameraNetworks.some((network) => matches(bytes, network)) ? 'allowed' : kind;
}

function isOwn(bytes: Uint8Array, ownAddresses: readonly string[]): boolean {
  return ownAddresses.some((own) => {
    const ownBytes = ipBytes(own);
    return ownBytes !== null && ownBytes.length === bytes.length && ownBytes.every((byte, i) => byte === bytes[i]);
  });
}

/** Networks of a setting; entries that are none are given back so that the setting can be refused. */
export function parseNetworks(entries: readonly string[]): { networks: IpNetwork[]; refused: string[] } {
  const networks: IpNetwork[] = [];
  const refused: string[] = [];
  for (const entry of entries) {
    const network = parseNetwork(entry);
    if (network === null) refused.push(entry);
    else networks.push(network);
  }
  return { networks, refused };
}
