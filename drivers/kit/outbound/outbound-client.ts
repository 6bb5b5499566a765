// The site's outbound client: `http` and `dial` of all drivers, under the network policy.
import { NameLookups } from '@vedette/foundation/network/name-lookups.ts';
import type { OutboundClient } from '../driver-context.ts';
import { type DialOptions, dial } from './dial.ts';
import { httpRequest } from './http-request.ts';

export function createOutboundClient(options: DialOptions): OutboundClient {
  return {
    dial: (target) => dial(options, target),
    http: (request) => httpRequest(options, request),
  };
}

/** Parallel look-ups of this thread: two threads dial and share a pool of sixteen (launcher/installation/site-runtime.js). */
const lookups = new NameLookups({ places: 4, slowPlaces: 2 });

/** Each name counts as an owner, since the owner of the device is unknown here. */
export function resolveBySystem(host: string, signal: AbortSignal): Promise<readonly string[]> {
  return lookups.addressesOf(host, { owner: host, signal });
}
