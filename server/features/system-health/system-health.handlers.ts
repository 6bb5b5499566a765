// Handlers of system/health/get and system/version/get: how the installation does, and what it consists of.
import { arch, release, type } from 'node:os';
import { fileURLToPath } from 'node:url';
import type { CallOutput } from '@vedette/contract/calls/calls.ts';
import type { systemHealthCalls } from '@vedette/contract/calls/system-health.ts';
import { LOCAL_SITE } from '@vedette/contract/remote-site.ts';
import { SITE_PROTOCOL_VERSION } from '@vedette/contract/site/site.ts';
import type { Clock } from '@vedette/foundation/time/clock.ts';
import { openDetectedProblems } from '../../database/alarm/health.queries.ts';
import type { Database } from '../../database/connection.ts';
import { allSites, type SiteWithTotal } from '../../database/device/site.queries.ts';
import { databaseFacts, deliveryCounts, firmwareByModel } from '../../database/health-facts.queries.ts';
import type { InstallationSampler } from '../../health/installation-sampler.ts';
import type { SiteMeasures } from '../../health/site-measures.ts';
import type { Handlers } from '../../http/handler.ts';
import type { Messenger } from '../../mail/messenger.ts';
import type { AccountSettings } from '../../settings/account-settings.ts';
import type { SitesPort } from '../../site-link/site-port.ts';
import { certificateFacts } from '../system/host.facts.ts';
import {
  databaseEntry,
  gatewayEntry,
  machineEntries,
  otherEntries,
  serverEntry,
  type SiteFacts,
  siteEntries,
  type SlowFacts,
} from './health-entries.ts';
import { backupFacts } from './backup-facts.ts';
import { revisionOf } from './working-copy.ts';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const HOUR_MS = 3_600_000;
/** Counting deliveries reads the table: once a minute is enough. */
const COUNTED_FOR_MS = 60_000;

export interface SystemHealthDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly site: SitesPort;
  readonly measures: SiteMeasures;
  readonly sampler: InstallationSampler;
  readonly messenger: Pick<Messenger, 'lastFailure'>;
  readonly accountSettings: AccountSettings;
  readonly dataFolder: string;
  readonly version: string;
}

export function systemHealthHandlers(deps: SystemHealthDeps): Handlers<keyof typeof systemHealthCalls> {
  const { sampler, clock } = deps;
  const upSince = Math.round(clock.wallMs() - process.uptime() * 1000);
  const deliveries = countedDeliveries(deps);
  return {
    'system/health/get': async ({ now }) => {
      const { history } = sampler;
      const sites = await allSites(deps.database);
      return {
        time: now,
        partList: [
          serverEntry(history, upSince),
          ...sites.flatMap((row) => siteEntries(history, siteFacts(deps, row, now))),
          gatewayEntry(history),
          databaseEntry(history),
          ...machineEntries(history),
          ...otherEntries({ ...(await slowFacts(deps)), deliveries: await deliveries(now) }, now),
        ],
      };
    },
    'system/version/get': () => versions(deps),
  };
}

function siteFacts({ site, measures }: SystemHealthDeps, row: SiteWithTotal, now: number): SiteFacts {
  const { site_id: siteId, site_name: siteName, credential_hash: credential } = row;
  const isOnline = site.at(siteId).isOnline();
  const isWaiting = siteId !== LOCAL_SITE && credential === null;
  const status = isOnline ? 'online' : isWaiting ? 'waiting' : 'offline';
  return { siteId, siteName, status, health: measures.of(siteId, now)?.health ?? null };
}

async function slowFacts(deps: SystemHealthDeps): Promise<Omit<SlowFacts, 'deliveries'>> {
  const { database, dataFolder, accountSettings, messenger } = deps;
  const [problems, certificate, backup, { config }] = await Promise.all([
    openDetectedProblems(database),
    certificateFacts(dataFolder),
    backupFacts(dataFolder),
    accountSettings.read(),
  ]);
  return {
    devicesWithWrongClock: problems.filter(({ type: name }) => name === 'ClockWrong').length,
    certificateTo: certificate?.validTo ?? null,
    backup,
    isMailOn: config.mail !== null,
    mailFailure: messenger.lastFailure,
  };
}

function countedDeliveries({ database }: SystemHealthDeps): (now: number) => Promise<SlowFacts['deliveries']> {
  let counted: { at: number; counts: SlowFacts['deliveries'] } | null = null;
  return async (now) => {
    if (counted === null || now - counted.at >= COUNTED_FOR_MS || now < counted.at)
      counted = { at: now, counts: await deliveryCounts(database, now - HOUR_MS) };
    return counted.counts;
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
