// Network policy against SSRF: which addresses the server may dial for a user: the public internet, the operator's networks, and configured exceptions.
import { BlockList, isIP, isIPv6 } from 'node:net';
import { networkInterfaces } from 'node:os';

export interface NetworkPolicy {
  /** The address was named by the operator, who may name private networks. */
  readonly isOperator: boolean;
  /** CIDR blocks that are open to everybody, be they private, loopback or link-local. */
  readonly openNetworks: readonly string[];
  /** Ports this installation listens on: refused at every address of this machine. */
  readonly ownPorts: ReadonlySet<number>;
}

export type AddressVerdict = 'allowed' | 'own-port' | 'private' | 'unusable';

const PRIVATE = blockList([
  '10.0.0.0/8',
  '172.16.0.0/12',
  '192.168.0.0/16',
  // Shared by carriers.
  '100.64.0.0/10',
  'fc00::/7',
]);
/** Never the internet: this machine, its link, multicast, documentation, translations that could hide any of them. */
const UNUSUAL = blockList([
  '0.0.0.0/8',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
  // Nobody's, this machine's, and IPv4 in an old form.
  '::/96',
  '::ffff:0:0:0/96',
  '64:ff9b::/96',
  '64:ff9b:1::/48',
  '100::/64',
  '2001::/32',
  '2001:db8::/32',
  '2002::/16',
  'fe80::/10',
  'fec0::/10',
  'ff00::/8',
]);
const LOOPBACK = blockList(['127.0.0.0/8', '::1/128', '0.0.0.0/32', '::/128']);

/** `address` as the system resolved it. */
export function checkAddress(address: string, port: number, policy: NetworkPolicy): AddressVerdict {
  const family = isIP(address);
  if (family === 0) return 'unusable';
  const isIn = (list: BlockList): boolean => list.check(address, family === 6 ? 'ipv6' : 'ipv4');
  if (policy.ownPorts.has(port) && (isIn(LOOPBACK) || isIn(blockList(ownAddresses())))) return 'own-port';
  if (isIn(blockList(policy.openNetworks))) return 'allowed';
  if (isIn(UNUSUAL)) return 'unusable';
  if (isIn(PRIVATE)) return policy.isOperator ? 'allowed' : 'private';
  return 'allowed';
}

/** Entries that are no networks open nothing. */
function blockList(blocks: readonly string[]): BlockList {
  const list = new BlockList();
  for (const block of blocks) {
    const [address = '', bits] = block.split('/');
    const family = isIP(address);
    if (family === 0) continue;
    list.addSubnet(address, Number(bits ?? (family === 6 ? 128 : 32)), isIPv6(address) ? 'ipv6' : 'ipv4');
  }
  return list;
}

function ownAddresses(): string[] {
  return Object.values(networkInterfaces()).flatMap((entries) => (entries ?? []).map(({ address }) => address));
}
