// Handlers of nat/*: whether media of a device is available directly from its site, by how the site is reachable.
import { pageRange } from '@vedette/rules/paging.ts';
import { sql } from 'kysely';
import { authorizeDevice } from '../../auth/authorize.ts';
import { visibleDevices } from '../../auth/visibility-conditions.ts';
import { requireFound } from '../../core/call-error.ts';
import type { Clock } from '@vedette/foundation/time/clock.ts';
import type { Database } from '../../database/connection.ts';
import { devicesWhere } from '../../database/device/device.queries.ts';
import { allSites, findSite } from '../../database/device/site.queries.ts';
import type { Handlers } from '../../http/handler.ts';
import { natFactor } from './nat.facts.ts';

export interface NatDeps {
  readonly database: Database;
  readonly clock: Clock;
}

export function natHandlers({ database, clock }: NatDeps): Handlers<'nat/factor' | 'nat/list'> {
  return {
    'nat/factor': async ({ input, rights }) => {
      const device = await authorizeDevice(database, await rights(), null, input);
      const site = requireFound(await findSite(database, device.siteId), 'devNotExist');
      return natFactor(site, device.deviceSerial, clock.wallMs());
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
      const now = clock.wallMs();
      const natList = rows.flatMap(({ device_serial: deviceSerial, site_id: siteId }) => {
        const site = sites.get(siteId);
        return site === undefined ? [] : [{ deviceSerial, ...natFactor(site, deviceSerial, now) }];
      });
      return { total, natList };
    },
  };
}
