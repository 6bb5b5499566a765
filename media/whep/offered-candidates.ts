// Filters the ICE candidates of a viewer's offer: numeric unicast addresses, a few of them; names are never resolved.
import { BlockList, isIP } from 'node:net';

/** A browser on a machine with many networks names about ten. */
const CANDIDATES_MAX = 24;
const ADDRESS_FIELD = 4;
const CANDIDATE = /^(?:a=)?candidate:/i;

/** Nobody's own address: to all of a network, to groups, to this machine without a name (RFC 6890). */
const nobody = new BlockList();
nobody.addSubnet('0.0.0.0', 8, 'ipv4');
nobody.addSubnet('224.0.0.0', 3, 'ipv4');
nobody.addSubnet('ff00::', 8, 'ipv6');
nobody.addAddress('::', 'ipv6');

/** The offer without the others. A viewer whose address is hidden behind a name is answered where its own checks come from (RFC 8445, 7.3.1.3). */
export function withAskableCandidates(offer: string): string {
  let count = 0;
  const kept = offer.split('\n').filter((line) => {
    if (!CANDIDATE.test(line)) return true;
    if (!isAskable(line.split(' ')[ADDRESS_FIELD] ?? '')) return false;
    count += 1;
    return count <= CANDIDATES_MAX;
  });
  return kept.join('\n');
}

function isAskable(address: string): boolean {
  const family = isIP(address);
  return family !== 0 && !nobody.check(address, family === 4 ? 'ipv4' : 'ipv6');
}
