// What every module of the server builds on: environment, database, settings, sessions, pages, and the feed of revocations.
import type pg from 'pg';
import type { Logger } from 'pino';
import { newId } from '@vedette/foundation/random/ids.ts';
import { type Clock, systemClock } from '@vedette/foundation/time/clock.ts';
import { AuditWriter } from '../audit/audit-writer.ts';
import { Sessions } from '../auth/sessions.ts';
import { RealtimeHub } from '../bus/realtime-hub.ts';
import { openLog } from '../core/log.ts';
import { SecretBox } from '../core/secret-box.ts';
import { Signal } from '../core/signal.ts';
import { newestRevocation, type RevocationRow, revocationsAfter } from '../database/access/revocation.queries.ts';
import { type Database, openDatabase } from '../database/connection.ts';
import { migrate } from '../database/migrate.ts';
import type { Place } from '../database/primary-finder.ts';
import { clockWithoutDeadline } from '../database/request-deadline.ts';
import { SequenceFollower } from '../database/sequence-follower.ts';
import { claimMasterKey } from '../master-key/key-record.ts';
import { hasOtherServers } from '../database/work-lease.queries.ts';
import type { Environment } from '../core/environment.ts';
import { SystemSettings } from '../features/system/system-settings.ts';
import { nodeIdentity } from '../work-lease/node-identity.ts';
import { WorkLeases } from '../work-lease/work-leases.ts';

export interface Core
  extends Pick<
    Environment,
    'masterKey' | 'dataFolder' | 'version' | 'commit' | 'publicPort' | 'ownPorts' | 'backupPlace'
  > {
  readonly database: Database;
  /** A connection of its own, for LISTEN. */
  readonly newClient: () => pg.Client;
  readonly clock: Clock;
  readonly log: Logger;
  readonly box: SecretBox;
  /** Master keys of before, oldest first, for what lies outside the database: nothing new is sealed with them. */
  readonly earlierKeys: readonly Buffer[];
  readonly settings: SystemSettings;
  readonly sessions: Sessions;
  readonly auditWriter: AuditWriter;
  readonly hub: RealtimeHub;
  /** Of the works that one server does for all on this database. */
  readonly leases: WorkLeases;
  /** The identity of this server's data folder among those of the database. */
  readonly nodeId: string;
  /** Whether other servers are connected to the same database. */
  readonly hasOtherServers: () => Promise<boolean>;
  /** IANA name of the zone that days of recordings and rules are counted in. */
  readonly timeZone: string;
  /** Rights or sessions that ended or changed, in the order of their commits. */
  readonly revocations: Signal<readonly RevocationRow[]>;
  start(): Promise<void>;
  close(): Promise<void>;
}

/** Opens and migrates the database. Throws IdentityInUse, OtherMasterKey. */
export async function openCore(environment: Environment): Promise<Core> {
  const { masterKey, dataFolder, version, commit, publicPort, ownPorts, backupPlace } = environment;
  const log = openLog(environment.logLevel);
  const clock = clockWithoutDeadline(systemClock);
  const onError = (error: Error) => log.warn({ err: error }, 'an idle database connection was lost');
  const onPrimary = (place: Place) => log.info(place, 'this database server takes writes now');
  const { database, fencedBy, pool, newClient } = openDatabase({ url: environment.databaseUrl, onError, onPrimary });
  const nodeId = nodeIdentity(dataFolder);
  const leases = new WorkLeases({ nodeId, newClient, fencedBy, clock, log });
  await leases.claimIdentity();
  await migrate(pool);
  const earlierKeys = await claimMasterKey(database, masterKey);
  const settings = new SystemSettings({ database });
  await settings.prepare({ dataFolder, isDemo: environment.demoFile !== null });
  const sessions = new Sessions({ database, clock });
  const auditWriter = new AuditWriter({ database, clock, log, runId: newId() });
  const hub = new RealtimeHub({ database, sessions, clock, log });
  const revocations = new Signal<readonly RevocationRow[]>();
  revocations.subscribe((rows) => hub.applyRevocations(rows));
  const follower = new SequenceFollower<RevocationRow>({
    channel: 'vedette_revocation',
    newClient,
    clock,
    log,
    newest: () => newestRevocation(database),
    after: (seq) => revocationsAfter(database, seq),
    onRows: (rows) => revocations.emit(rows),
  });
  const box = new SecretBox({ masterKey });
  const timeZone = new Intl.DateTimeFormat().resolvedOptions().timeZone;
  const given = { masterKey, dataFolder, version, commit, publicPort, ownPorts, backupPlace };
  const shared = { box, earlierKeys, settings, sessions, auditWriter, hub, leases, nodeId, timeZone, revocations };
  return {
    ...given,
    database,
    newClient,
    clock,
    log,
    ...shared,
    hasOtherServers: () => hasOtherServers(database, nodeId),
    start: async () => {
      await follower.start();
      hub.start();
    },
    close: async () => {
      hub.close();
      await follower.close();
    },
  };
}
