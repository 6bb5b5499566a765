// Handlers of nat/*: whether media of a device can be had straight from its site, from what is known of how that site is reached.
import { createHash } from 'node:crypto';
import type { NatFactor } from '@vedette/contract/calls/site.ts';
import { NAT_MODE } from '@vedette/contract/enumerations.ts';
import { LOCAL_SITE } from '@vedette/contract/site-far.ts';
import { pageRange } from '@vedette/rules/paging.ts';
import { sql } from 'kysely';
import { mayDevice } from '../../auth/may.ts';
import { visibleDevices } from '../../auth/visible.ts';
import { CallError } from '../../call-error.ts';
import type { Clock } from '../../clock/clock.ts';
import type { Database } from '../../database/connection.ts';
import { devicesWhere } from '../../database/device.queries.ts';
import { allSites, findSite } from '../../database/site.queries.ts';
import type { SiteRow } from '../../database/schema.ts';
import type { Handlers } from '../../http/handler.ts';

export interface NatParts {
  readonly database: Database;
  readonly clock: Clock;
}

/** What a try told counts for so long: networks change. */
const TRY_COUNTS_MS = 10 * 60_000;
/** Of a site nobody tried lately: with an address of the open network, and behind a router. */
const FACTOR_UNTRIED = { open: 80, hidden: 40 } as const;

export function natHandlers({ database, clock }: NatParts): Handlers<'nat/factor' | 'nat/list'> {
  return {
    'nat/factor': async ({ input, rights }) => {
      const device = await mayDevice(database, await rights(), null, input);
      const site = await findSite(database, device.siteId);
      if (site === undefined) throw new CallError('devNotExist');
      return natFactor(site, device.deviceSerial, clock.now());
    },
    'nat/list': async ({ input, rights }) => {
      const query = devicesWhere(database, visibleDevices(await rights(), null));
      const { total } = await query.select(sql<number>`count(*)`.as('total')).executeTakeFirstOrThrow();
      const { offset, limit } = pageRange(input);
      const rows = await query
        .select(['device.device_serial', 'device.site_id'])
        .orderBy('device.device_serial')
        .offset(offset)
        .limit(limit)
        .execute();
      const sites = new Map((await allSites(database)).map((site) => [site.site_id, site]));
      const now = clock.now();
      const natList = rows.flatMap(({ device_serial: deviceSerial, site_id: siteId }) => {
        const site = sites.get(siteId);
        return site === undefined ? [] : [{ deviceSerial, ...natFactor(site, deviceSerial, now) }];
      });
      return { total, natList };
    },
  };
}

export function natFactor(site: Omit<SiteRow, 'credential_hash'>, deviceSerial: string, now: number): NatFactor {
  const devKey = keyOf(site, deviceSerial);
  if (site.site_id === LOCAL_SITE) return { timestamp: now, mode: NAT_MODE.centre, factor: 100, devKey };
  const { direct_at: triedAt, is_direct: isDirect, last_seen: seenAt } = site;
  if (triedAt !== null && now - triedAt < TRY_COUNTS_MS) {
    return isDirect === true
      ? { timestamp: triedAt, mode: NAT_MODE.direct, factor: 100, devKey }
      : { timestamp: triedAt, mode: NAT_MODE.relayed, factor: 0, devKey };
  }
  const timestamp = seenAt ?? site.created_at;
  if (site.direct_addresses.length === 0) return { timestamp, mode: NAT_MODE.relayed, factor: 0, devKey };
  const isOpen = site.direct_addresses.includes(site.public_address);
  return { timestamp, mode: NAT_MODE.untried, factor: isOpen ? FACTOR_UNTRIED.open : FACTOR_UNTRIED.hidden, devKey };
}

function keyOf({ site_id, public_address, direct_addresses }: Omit<SiteRow, 'credential_hash'>, serial: string): string {
  const place = JSON.stringify([serial, site_id, public_address, direct_addresses]);
  return createHash('sha256').update(place).digest('hex').slice(0, 32);
}
