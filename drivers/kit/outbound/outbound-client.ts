// The one outbound client of the site: what drivers get as `http` and `dial`, under the network policy.
import { lookup } from 'node:dns/promises';
import { networkInterfaces } from 'node:os';
import type { OutboundClient } from '../driver-context.ts';
import { type DialOptions, dial } from './dial.ts';
import { httpRequest } from './http-request.ts';

export function createOutboundClient(options: DialOptions): OutboundClient {
  return {
    dial: (target) => dial(options, target),
    http: (request) => httpRequest(options, request),
  };
}

/** Names as the system resolves them (hosts file, mDNS and odd spellings such as 0x7f.1 included), IPv4 first. */
export async function resolveBySystem(host: string): Promise<readonly string[]> {
  const found = await lookup(host, { all: true, order: 'ipv4first' });
  return found.map(({ address }) => address);
}

export function ownInterfaceAddresses(): string[] {
  return Object.values(networkInterfaces()).flatMap((entries) => (entries ?? []).map(({ address }) => address));
}
