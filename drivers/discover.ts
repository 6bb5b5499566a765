// Discovers ONVIF devices on this machine's networks, and the address at which each can be reached.
import { networkInterfaces } from 'node:os';
import {
  discover as askNetwork,
  type DiscoveryAnswer,
  type DiscoveryPlace,
} from '@vedette/protocols/ws-discovery/client.ts';
import type { DiscoveredDevice } from '@vedette/protocols/ws-discovery/messages.ts';
import { type FoundDevice, foundMax } from './found-device.ts';
import type { DriverContext } from './kit/driver-context.ts';
import type { AddressVerdict } from '@vedette/foundation/network/network-policy.ts';

export interface DiscoverOptions {
  readonly place: DiscoveryPlace;
  readonly context: DriverContext;
  /** Whether the network policy allows that address. */
  readonly judge: (address: string, port: number) => AddressVerdict;
  /** Called for each new device, and again if it has a better address. */
  readonly onFound: (device: FoundDevice) => void;
  readonly signal: AbortSignal;
}

/** Resolves after the four seconds in which devices may answer, or when the signal aborts. */
export async function discoverDevices(options: DiscoverOptions): Promise<void> {
  const { place, context, judge, onFound, signal } = options;
  /** By endpoint; true if the device named the address it answered from. */
  const known = new Map<string, boolean>();
  await askNetwork({
    place,
    interfaces: ownNetworks(judge),
    newMessageId: () => `urn:uuid:${uuidOf(context.randomBytes(16))}`,
    after: context.clock.after,
    signal: AbortSignal.any([signal, context.signal]),
    onFault: (error) => context.log.debug({ err: error }, 'a network could not be asked for devices'),
    onAnswer: (answer) => {
      const before = known.get(answer.device.endpoint);
      if (before === true || (before === undefined && known.size >= foundMax)) return;
      const isNamed = answer.device.xAddrs.some((xAddr) => URL.parse(xAddr)?.hostname === answer.from);
      if (before === false && !isNamed) return;
      const found = foundDevice(answer, judge);
      if (found === null) return;
      known.set(found.endpoint, isNamed);
      onFound(found);
    },
  });
}

/** Interfaces to search: loopback and link-local only where the policy allows them. */
function ownNetworks(judge: DiscoverOptions['judge']): string[] {
  return Object.values(networkInterfaces())
    .flatMap((entries) => entries ?? [])
    .filter(({ family, address }) => family === 'IPv4' && judge(address, 80) === 'allowed')
    .map(({ address }) => address);
}

/** Null for an answer without an allowed address. */
export function foundDevice(
  { device, from }: Pick<DiscoveryAnswer, 'device' | 'from'>,
  judge: DiscoverOptions['judge'],
): FoundDevice | null {
  const target = serviceUrl(device.xAddrs, from);
  if (target === null) return null;
  if (judge(from, portOf(target)) !== 'allowed') return null;
  return {
    driver: 'onvif',
    target: target.href,
    endpoint: device.endpoint,
    name: scopeWord(device, 'name'),
    model: scopeWord(device, 'hardware'),
  };
}

/**
 * The sender's address is known to be reachable and to be the device's own: an XAddr with another host (another
 * interface, a name, another machine) gives only port and path.
 */
function serviceUrl(xAddrs: readonly string[], from: string): URL | null {
  const urls = xAddrs
    .map((xAddr) => URL.parse(xAddr))
    .filter((url): url is URL => url !== null && (url.protocol === 'http:' || url.protocol === 'https:'));
  const best = urls.find((url) => url.hostname === from) ?? urls[0];
  if (best === undefined) return null;
  const url = new URL(best.href);
  url.hostname = from;
  url.username = '';
  url.password = '';
  url.hash = '';
  return url;
}

function portOf(url: URL): number {
  if (url.port !== '') return Number(url.port);
  return url.protocol === 'https:' ? 443 : 80;
}

const scopeRoot = 'onvif://www.onvif.org/';

/** For example `Gate%20House` of `onvif://www.onvif.org/name/Gate%20House` (ONVIF Core 7.3.2.2). */
function scopeWord({ scopes }: DiscoveredDevice, category: string): string {
  const start = `${scopeRoot}${category}/`;
  const scope = scopes.find((one) => one.toLowerCase().startsWith(start));
  return scope === undefined ? '' : decode(scope.slice(start.length)).replaceAll('/', ' ').trim();
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch (error) {
    if (!(error instanceof URIError)) throw error;
    return text;
  }
}

/** RFC 9562, version 4. */
function uuidOf(random: Buffer): string {
  const bytes = Buffer.from(random);
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/u, '$1-$2-$3-$4-$5');
}
