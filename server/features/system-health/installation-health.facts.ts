// How the parts of the installation do, read for the operator's page and for /metrics.
import { LOCAL_SITE } from '@vedette/contract/remote-site.ts';
import type { HealthEntry } from '@vedette/contract/calls/system-health.ts';
import type { Clock } from '@vedette/foundation/time/clock.ts';
import { unchainedSince } from '../../database/account/audit-chain.queries.ts';
import { openDetectedProblems } from '../../database/alarm/health.queries.ts';
import type { Database } from '../../database/connection.ts';
import { allSites, type SiteWithTotal } from '../../database/device/site.queries.ts';
import { deliveryCounts } from '../../database/health-facts.queries.ts';
import type { InstallationSampler } from '../../health/installation-sampler.ts';
import type { SiteMeasures } from '../../health/site-measures.ts';
import type { Messenger } from '../../mail/messenger.ts';
import type { AccountSettings } from '../../settings/account-settings.ts';
import type { SitesPort } from '../../site-link/site-port.ts';
import { certificateFacts } from '../system/host.facts.ts';
import { backupFacts } from './backup-facts.ts';
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
import { serverEntries, type ServersHealth } from './server-entries.ts';

const HOUR_MS = 3_600_000;
/** Counting deliveries reads the table: once a minute is enough. */
const COUNTED_FOR_MS = 60_000;

export interface HealthSources {
  readonly database: Database;
  readonly clock: Clock;
  readonly site: SitesPort;
  readonly measures: SiteMeasures;
  readonly sampler: InstallationSampler;
  readonly messenger: Pick<Messenger, 'lastFailure'>;
  readonly accountSettings: AccountSettings;
  readonly dataFolder: string;
  /** Null where this server has no lines to others. */
  readonly servers: () => ServersHealth | null;
}

export interface InstallationHealth {
  readonly sites: readonly SiteFacts[];
  readonly partList: HealthEntry[];
}

/** Answers a function that reads it at the given time, in milliseconds since 1970 UTC. */
export function healthReader(sources: HealthSources): (now: number) => Promise<InstallationHealth> {
  const { sampler, clock, database } = sources;
  const upSince = Math.round(clock.wallMs() - process.uptime() * 1000);
  const deliveries = countedDeliveries(database);
  return async (now) => {
    const { history } = sampler;
    const sites = (await allSites(database)).map((row) => siteFacts(sources, row, now));
    const slow = { ...(await slowFacts(sources)), deliveries: await deliveries(now) };
    return {
      sites,
      partList: [
        serverEntry(history, upSince),
        ...serverEntries(sources.servers()),
        ...sites.flatMap((facts) => siteEntries(history, facts)),
        gatewayEntry(history),
        databaseEntry(history),
        ...machineEntries(history),
        ...otherEntries(slow, now),
      ],
    };
  };
}

function siteFacts({ site, measures }: HealthSources, row: SiteWithTotal, now: number): SiteFacts {
  const { site_id: siteId, site_name: siteName, credential_hash: credential } = row;
  const isOnline = site.at(siteId).isOnline();
  const isWaiting = siteId !== LOCAL_SITE && credential === null;
  const status = isOnline ? 'online' : isWaiting ? 'waiting' : 'offline';
  return { siteId, siteName, status, health: measures.of(siteId, now)?.health ?? null };
}

async function slowFacts(sources: HealthSources): Promise<Omit<SlowFacts, 'deliveries'>> {
  const { database, dataFolder, accountSettings, messenger } = sources;
  const [problems, certificate, backup, { config }, auditUnchainedSince] = await Promise.all([
    openDetectedProblems(database),
    certificateFacts(dataFolder),
    backupFacts(dataFolder),
    accountSettings.read(),
    unchainedSince(database),
  ]);
  return {
    devicesWithWrongClock: problems.filter(({ type: name }) => name === 'ClockWrong').length,
    certificateTo: certificate?.validTo ?? null,
    backup,
    auditUnchainedSince,
    isMailOn: config.mail !== null,
    mailFailure: messenger.lastFailure,
  };
}

function countedDeliveries(database: Database): (now: number) => Promise<SlowFacts['deliveries']> {
  let counted: { at: number; counts: SlowFacts['deliveries'] } | null = null;
  return async (now) => {
    if (counted === null || now - counted.at >= COUNTED_FOR_MS || now < counted.at)
      counted = { at: now, counts: await deliveryCounts(database, now - HOUR_MS) };
    return counted.counts;
  };
}
