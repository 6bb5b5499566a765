// Reads the alarm outbox: changes in commit order, each with the current alarm.
import { sql } from 'kysely';
import { alarmsByCursor, type AlarmWithNames } from './alarm-read.queries.ts';
import type { Database } from '../connection.ts';

interface OutboxRow {
  readonly seq: number;
  readonly start_time: number;
  readonly alarm_id: string;
  readonly is_new: boolean;
}

export interface AlarmUpdate {
  readonly seq: number;
  readonly isNew: boolean;
  readonly alarm: AlarmWithNames;
}

/** Changes after a number, oldest first, each with the current alarm. Changes of deleted devices are omitted. */
export async function alarmUpdatesAfter(
  database: Database,
  seq: number,
  { limit, isNewOnly = false }: { readonly limit: number; readonly isNewOnly?: boolean },
): Promise<{ readonly updates: AlarmUpdate[]; readonly newest: number }> {
  // A row is numbered by its last change. The count is computed once per row, since counting unpacks the array.
  const { rows: lines } = await sql<OutboxRow>`
    select before + place as seq, start_time, alarm_id, is_new
    from (
      select seq - cardinality(alarm_ids) as before, start_times, alarm_ids, are_new
      from alarm_outbox where seq > ${seq} order by seq limit ${limit}
    ) as line, unnest(start_times, alarm_ids, are_new) with ordinality as entry (start_time, alarm_id, is_new, place)
    where before + place > ${seq} order by before + place limit ${limit}`.execute(database);
  if (lines.length === 0) return { updates: [], newest: seq };
  const wanted = isNewOnly ? lines.filter((line) => line.is_new) : lines;
  const cursors = wanted.map((line) => ({ startTime: line.start_time, alarmId: line.alarm_id }));
  const alarms = await alarmsByCursor(database, cursors);
  const byAlarmId = new Map(alarms.map((alarm) => [alarm.alarm_id, alarm]));
  const updates = wanted.flatMap((line) => {
    const alarm = byAlarmId.get(line.alarm_id);
    return alarm === undefined ? [] : [{ seq: line.seq, isNew: line.is_new, alarm }];
  });
  return { updates, newest: lines.at(-1)?.seq ?? seq };
}

export async function newestAlarmUpdate(database: Database): Promise<number> {
  const row = await database
    .selectFrom('alarm_outbox')
    .select((select) => select.fn.max('seq').as('seq'))
    .executeTakeFirst();
  return row?.seq ?? 0;
}
