// Followers of database changes: revocations for everything that holds a right, alarms for pages.
import type { Kysely } from 'kysely';
import type pg from 'pg';
import type { Logger } from 'pino';
import type { RealtimeHub } from './bus/realtime-hub.ts';
import type { Clock } from '@vedette/foundation/time/clock.ts';
import { newestAlarmUpdate } from './database/alarm/alarm-outbox.queries.ts';
import { newestRevocation, revocationsAfter } from './database/access/revocation.queries.ts';
import type { DatabaseSchema } from './database/schema/schema.ts';
import { SequenceFollower } from './database/sequence-follower.ts';
import { AlarmFeed } from './features/alarm/alarm-feed.ts';
import type { LockRevalidator } from './features/record/lock-revalidator.ts';
import type { ExportService } from './features/record-export/export-service.ts';
import type { TicketRevalidator } from './ticket/ticket-revalidator.ts';

export interface FollowersOptions {
  readonly database: Kysely<DatabaseSchema>;
  readonly newClient: () => pg.Client;
  readonly clock: Clock;
  readonly log: Logger;
  readonly hub: RealtimeHub;
  readonly ticketRevalidator: TicketRevalidator;
  readonly exportService: ExportService;
  readonly lockRevalidator: LockRevalidator;
}

export interface Follower {
  start(): Promise<void>;
  close(): Promise<void>;
}

export function createFollowers(options: FollowersOptions): readonly Follower[] {
  const { database, newClient, clock, log, hub, ticketRevalidator, exportService, lockRevalidator } = options;
  const revocations = new SequenceFollower({
    channel: 'vedette_revocation',
    newClient,
    clock,
    log,
    newest: () => newestRevocation(database),
    after: (seq) => revocationsAfter(database, seq),
    onRows: async (rows) => {
      await Promise.all([
        ticketRevalidator.applyRevocations(rows),
        exportService.applyRevocations(rows),
        lockRevalidator.applyRevocations(rows),
        hub.applyRevocations(rows),
      ]);
    },
  });
  const alarmPush = new AlarmFeed({ database, hub, clock });
  const alarms = new SequenceFollower({
    channel: 'vedette_alarm',
    newClient,
    clock,
    log,
    newest: () => newestAlarmUpdate(database),
    after: alarmPush.updatesAfter,
    onRows: alarmPush.push,
  });
  return [revocations, alarms];
}
