// Filters the ICE candidates of a viewer's offer: numeric unicast addresses, a few of them; names are never resolved.
import { classifyAddress } from '@vedette/foundation/network/address-kind.ts';

/** About as many as a browser on a machine with many networks sends. */
const CANDIDATES_MAX = 24;
const ADDRESS_FIELD = 4;
const CANDIDATE = /^(?:a=)?candidate:/i;

/** The offer without other candidates. A viewer with a hidden address is answered at the source of its own checks (RFC 8445, 7.3.1.3). */
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
  const classified = classifyAddress(address);
  return classified !== null && classified.kind !== 'unusable';
}
