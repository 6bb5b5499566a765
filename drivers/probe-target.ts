// Parses what a user types as the address of a device, and lists the endpoints to probe, in order.
import { ADDRESS_ROWS, type AddressRow, rowOfScheme } from './addresses.ts';
import type { DeviceCredentials } from './kit/driver.ts';
import type { DriverId } from './registry.ts';

export interface ProbePlace {
  readonly driver: DriverId;
  readonly url: string;
}

export interface ParsedTarget {
  /** In order of preference; the first that answers as its protocol wins. */
  readonly places: readonly ProbePlace[];
  /** User and password written into the address itself, or null. */
  readonly credentials: DeviceCredentials | null;
}

/** Null for text that is no address: to be refused as bad input, not as a device error. */
export function parseProbeTarget(text: string): ParsedTarget | null {
  const target = text.trim();
  if (target.length > 512) return null;
  const row = rowOfScheme(target);
  if (row !== undefined) return urlTarget(target, row);
  if (/\s/u.test(target)) return null;
  return /^[a-z][a-z0-9+.-]*:\/\//iu.test(target) ? null : hostTarget(target);
}

function urlTarget(target: string, { driver, addresses }: AddressRow): ParsedTarget | null {
  const parsed = addresses.parse(target);
  return parsed === null ? null : { places: [{ driver, url: parsed.url }], credentials: parsed.credentials };
}

/** `host`, `host:port`, `[v6]:port`, a bare IPv6 address; with a port only that port is asked. */
function hostTarget(target: string): ParsedTarget | null {
  const isBareV6 = /^[0-9a-f:.]+(?:%\w+)?$/iu.test(target) && target.split(':').length > 2;
  const url = URL.parse(`http://${isBareV6 ? `[${target}]` : target}`);
  if (url === null || !isHostAlone(url)) return null;
  const givenPort = isBareV6 ? undefined : /:(\d{1,5})$/u.exec(target)?.[1];
  // A driver without usual ports has no address that is a host alone.
  const ofHosts = ADDRESS_ROWS.filter(({ addresses }) => addresses.ports.length > 0);
  const places = ofHosts.flatMap(({ driver, addresses }) =>
    (givenPort === undefined ? addresses.ports : [Number(givenPort)]).map((port) => ({
      driver,
      url: addresses.urlAt(url.hostname, port),
    })),
  );
  return { places, credentials: null };
}

function isHostAlone({ pathname, search, hash, username }: URL): boolean {
  return pathname === '/' && search === '' && hash === '' && username === '';
}
