// Counts alarms visible to the caller, by day, type, location or state.
import type { ALARM_STAT_GROUPS } from '@vedette/contract/calls/alarm.ts';
import { type RawBuilder, sql } from 'kysely';
import type { Rights } from '../../auth/rights.ts';
import { type AlarmFilter, shownBy } from './alarm-read.queries.ts';
import type { Database } from '../connection.ts';

export type AlarmStatGroup = (typeof ALARM_STAT_GROUPS)[number];

export interface AlarmCount {
  readonly key: string;
  readonly name: string;
  readonly count: number;
  readonly newCount: number;
}

export async function countAlarms(
  database: Database,
  rights: Rights,
  question: {
    readonly filter: AlarmFilter;
    readonly isWeb: boolean;
    readonly groupBy: AlarmStatGroup;
    readonly timeZone: string;
  },
): Promise<AlarmCount[]> {
  const { groupBy, timeZone } = question;
  const [key, name] = keysOf(groupBy, timeZone);
  const rows = await shownBy(database, rights, question)
    .clearSelect()
    .select([
      key.as('key'),
      sql<string>`max(${name})`.as('name'),
      sql<number>`count(*)::int`.as('count'),
      sql<number>`(count(*) filter (where alarm.acknowledged_at is null and alarm.closed_at is null))::int`.as(
        'newCount',
      ),
    ])
    .groupBy(sql`1`)
    .execute();
  const isByTime = groupBy === 'day' || groupBy === 'hour';
  return rows.sort((a, b) => (isByTime ? (a.key < b.key ? -1 : 1) : b.count - a.count || (a.key < b.key ? -1 : 1)));
}

function keysOf(groupBy: AlarmStatGroup, timeZone: string): readonly [RawBuilder<string>, RawBuilder<string>] {
  const local = sql`to_timestamp(alarm.start_time / 1000.0) at time zone ${timeZone}`;
  const none = sql<string>`''`;
  switch (groupBy) {
    case 'day':
      return [sql<string>`to_char(${local}, 'YYYY-MM-DD')`, none];
    case 'hour':
      return [sql<string>`to_char(${local}, 'HH24')`, none];
    case 'device':
      return [sql<string>`coalesce(device.device_serial, '')`, sql<string>`coalesce(device.device_name, '')`];
    case 'organization':
      return [
        sql<string>`coalesce(device.organization_id, '0')`,
        sql<string>`coalesce(organization.organization_name, '')`,
      ];
    case 'state':
      return [
        sql<string>`case when alarm.closed_at is not null then 'closed' when alarm.assigned_to is not null then 'assigned'
          when alarm.acknowledged_at is not null then 'acknowledged' else 'new' end`,
        none,
      ];
    case 'severity':
      return [sql<string>`alarm.severity::text`, none];
    case 'type':
    case 'group':
      return [sql<string>`alarm.type`, none];
  }
}
