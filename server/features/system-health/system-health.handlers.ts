// Handlers of system/health/get, system/version/get and system/backup/start: how the installation does, what it consists of, and a backup of it.
import { arch, release, type } from 'node:os';
import { fileURLToPath } from 'node:url';
import type { CallOutput } from '@vedette/contract/calls/calls.ts';
import type { systemHealthCalls } from '@vedette/contract/calls/system-health.ts';
import { LOCAL_SITE } from '@vedette/contract/remote-site.ts';
import { SITE_PROTOCOL_VERSION } from '@vedette/contract/site/site.ts';
import type { Clock } from '@vedette/foundation/time/clock.ts';
import { CallError } from '../../core/call-error.ts';
import type { Database } from '../../database/connection.ts';
import { allSites } from '../../database/device/site.queries.ts';
import { databaseFacts, firmwareByModel } from '../../database/health-facts.queries.ts';
import type { SiteMeasures } from '../../health/site-measures.ts';
import type { Handlers } from '../../http/handler.ts';
import type { SitesPort } from '../../site-link/site-port.ts';
import { requestBackup } from './backup-facts.ts';
import type { InstallationHealth } from './installation-health.facts.ts';
import { revisionOf } from './working-copy.ts';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));

export interface SystemHealthDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly site: SitesPort;
  readonly measures: SiteMeasures;
  readonly version: string;
  readonly dataFolder: string;
  readonly readHealth: (now: number) => Promise<InstallationHealth>;
}

export function systemHealthHandlers(deps: SystemHealthDeps): Handlers<keyof typeof systemHealthCalls> {
  return {
    'system/health/get': async ({ now }) => ({ time: now, partList: (await deps.readHealth(now)).partList }),
    'system/backup/start': async () => {
      if (!(await requestBackup(deps.dataFolder))) throw new CallError('functionNotSupported');
      return {};
    },
    'system/version/get': () => versions(deps),
  };
}

async function versions(deps: SystemHealthDeps): Promise<CallOutput<'system/version/get'>> {
  const { database, site, measures, clock, version } = deps;
  const [revision, facts, sites, firmwareList] = await Promise.all([
    revisionOf(ROOT),
    databaseFacts(database),
    allSites(database),
    firmwareByModel(database),
  ]);
  return {
    version,
    revision,
    node: process.versions.node,
    postgres: facts.version,
    operatingSystem: `${type()} ${release()}`,
    architecture: arch(),
    siteProtocol: SITE_PROTOCOL_VERSION,
    siteList: sites.map(({ site_id: siteId, site_name: siteName, product_version: known }) => {
      const own = measures.of(siteId, clock.wallMs())?.health.process;
      return {
        siteId,
        siteName,
        isOnline: site.at(siteId).isOnline(),
        version: own?.version ?? (siteId === LOCAL_SITE ? version : known),
        node: own?.node ?? '',
        ffmpeg: own?.ffmpeg ?? '',
      };
    }),
    firmwareList,
  };
}
