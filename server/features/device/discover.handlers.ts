// Handlers of network discovery; mark devices that the caller has already.
import type { SiteFound } from '@vedette/contract/site/site-scan.ts';
import type { Rights } from '../../auth/rights.ts';
import { visibleDevices } from '../../auth/visibility-conditions.ts';
import type { Database } from '../../database/connection.ts';
import { devicesWhere } from '../../database/device/device.queries.ts';
import type { Handlers } from '../../http/handler.ts';
import type { SitesPort } from '../../site-link/site-port.ts';
import { usableSite } from '../site/site.facts.ts';
import { cleanName, cleanText, hostOf } from './device-candidate.facts.ts';
import { isOperator } from './device.handlers.ts';
import { ScanService } from './scan-service.ts';

export interface DiscoverDeps {
  readonly database: Database;
  readonly site: SitesPort;
}

export function discoverHandlers(deps: DiscoverDeps): Handlers<'device/discover' | 'device/discover/cancel'> {
  const { database } = deps;
  const service = new ScanService({ site: deps.site });
  return {
    'device/discover': async ({ input, principal, rights }) => {
      const { userId } = principal;
      const wanted = {
        network: input.scope ?? null,
        ports: input.ports ?? null,
        isOperator: isOperator(principal),
      };
      const { siteId, site, scanId } =
        input.scanId === undefined
          ? await service.begin(userId, await usableSite(database, principal, input.siteId), wanted)
          : service.find(userId, input.scanId);
      const { found, ...scan } = await site.call('scanRead', {
        scanId,
        seen: input.seen ?? null,
        waitMs: input.waitMs,
      });
      return { scanId, ...scan, candidateList: await markKnown(database, await rights(), { siteId, found }) };
    },
    'device/discover/cancel': async ({ input, principal }) => {
      await service.end(principal.userId, input.scanId);
      return {};
    },
  };
}

/** Matched by address in the searched network: unauthenticated claims of a device prove nothing. */
async function markKnown(
  database: Database,
  rights: Rights,
  { siteId, found }: { readonly siteId: string; readonly found: readonly SiteFound[] },
) {
  const addresses = [...new Set(found.map(({ target }) => hostOf(target)))];
  const rows =
    addresses.length === 0
      ? []
      : await devicesWhere(database, visibleDevices(rights, null))
          .select(['device.address', 'device.device_serial'])
          .where('device.address', 'in', addresses)
          .where('device.site_id', '=', siteId)
          .execute();
  const known = new Map(rows.map((row) => [row.address, row.device_serial]));
  return found.map(({ driver, target, endpoint, deviceName, deviceModel }) => {
    const address = hostOf(target);
    return {
      driver,
      target,
      address,
      endpoint,
      deviceName: cleanName(deviceName, ''),
      deviceModel: cleanText(deviceModel),
      deviceSerial: known.get(address) ?? null,
    };
  });
}
