// The one outbound client of the site: what drivers get as `http` and `dial`, under the network policy.
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

/** Of this thread: the site has two that dial, and sixteen in the pool that both share (launcher/installation/site-runtime.js). */
const lookups = new NameLookups({ places: 4, slowPlaces: 2 });

/** Each name counts as an owner: who added the device is not known here, and its name stays the same. */
export function resolveBySystem(host: string, signal: AbortSignal): Promise<readonly string[]> {
  return lookups.addressesOf(host, { owner: host, signal });
}
