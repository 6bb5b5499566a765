// What other features may ask: whether media of a device is available directly from its site.
import { createHash } from 'node:crypto';
import type { NatFactor } from '@vedette/contract/calls/site.ts';
import { NAT_MODE } from '@vedette/contract/enumerations.ts';
import { DIRECT_ATTEMPT_VALID_MS, LOCAL_SITE } from '@vedette/contract/remote-site.ts';
import type { SiteRow } from '../../database/schema/schema.ts';

/** Of a site nobody tried lately: with an address of the open network, and behind a router. */
const FACTOR_UNTRIED = { open: 80, hidden: 40 } as const;

export function natFactor(site: SiteRow, deviceSerial: string, now: number): NatFactor {
  const devKey = keyOf(site, deviceSerial);
  if (site.site_id === LOCAL_SITE) return { timestamp: now, mode: NAT_MODE.centre, factor: 100, devKey };
  const { direct_at: triedAt, is_direct: isDirect, last_seen: seenAt } = site;
  if (triedAt !== null && now - triedAt < DIRECT_ATTEMPT_VALID_MS) {
    return isDirect === true
      ? { timestamp: triedAt, mode: NAT_MODE.direct, factor: 100, devKey }
      : { timestamp: triedAt, mode: NAT_MODE.relayed, factor: 0, devKey };
  }
  const timestamp = seenAt ?? site.created_at;
  if (site.direct_addresses.length === 0) return { timestamp, mode: NAT_MODE.relayed, factor: 0, devKey };
  const isOpen = site.direct_addresses.includes(site.public_address);
  return { timestamp, mode: NAT_MODE.untried, factor: isOpen ? FACTOR_UNTRIED.open : FACTOR_UNTRIED.hidden, devKey };
}

function keyOf({ site_id, public_address, direct_addresses }: SiteRow, serial: string): string {
  const place = JSON.stringify([serial, site_id, public_address, direct_addresses]);
  return createHash('sha256').update(place).digest('hex').slice(0, 32);
}
