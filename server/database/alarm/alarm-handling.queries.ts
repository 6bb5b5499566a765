// Handling of alarms by people: acknowledge, assign, close, comment, and undo of own steps.
import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { AlarmCursor } from './alarm-read.queries.ts';
import type { Database } from '../connection.ts';

export interface AlarmActor {
  readonly accountId: string;
  readonly at: number;
}

/** Each returns the alarms that it changed. */
export function acknowledge(database: Database, cursors: readonly AlarmCursor[], by: AlarmActor) {
  return change(database, cursors, {
    set: sql`acknowledged_at = ${by.at}::bigint, acknowledged_by = ${by.accountId}`,
    where: sql`acknowledged_at is null`,
  });
}

export function undoAcknowledge(database: Database, cursors: readonly AlarmCursor[], by: AlarmActor) {
  return change(database, cursors, {
    set: sql`acknowledged_at = null, acknowledged_by = null`,
    where: sql`acknowledged_by = ${by.accountId} and closed_at is null and assigned_to is null`,
  });
}

/** Null: unassigned. */
export function assign(database: Database, cursors: readonly AlarmCursor[], to: string | null, by: AlarmActor) {
  return change(database, cursors, {
    set: sql`assigned_to = ${to}, assigned_at = ${to === null ? null : by.at}::bigint,
      acknowledged_at = coalesce(acknowledged_at, ${by.at}::bigint),
      acknowledged_by = coalesce(acknowledged_by, ${by.accountId})`,
    where: sql`assigned_to is distinct from ${to} and closed_at is null`,
  });
}

export function closeAlarms(database: Database, cursors: readonly AlarmCursor[], by: AlarmActor) {
  return change(database, cursors, {
    set: sql`closed_at = ${by.at}::bigint, closed_by = ${by.accountId},
      acknowledged_at = coalesce(acknowledged_at, ${by.at}::bigint),
      acknowledged_by = coalesce(acknowledged_by, ${by.accountId})`,
    where: sql`closed_at is null`,
  });
}

/** Reopening also undoes an acknowledgement made by closing. */
export function undoClose(database: Database, cursors: readonly AlarmCursor[], by: AlarmActor) {
  return change(database, cursors, {
    set: sql`closed_at = null, closed_by = null,
      acknowledged_by = case when acknowledged_at = closed_at then null else acknowledged_by end,
      acknowledged_at = case when acknowledged_at = closed_at then null else acknowledged_at end`,
    where: sql`closed_by = ${by.accountId}`,
  });
}

export async function addComment(
  database: Database,
  cursors: readonly AlarmCursor[],
  comment: { readonly accountId: string; readonly text: string; readonly time: number },
) {
  return await change(database, cursors, {
    set: sql`comments = comments || ${JSON.stringify([comment])}::jsonb`,
    where: sql`true`,
  });
}

async function change(
  database: Database,
  cursors: readonly AlarmCursor[],
  { set, where }: { readonly set: RawBuilder<unknown>; readonly where: RawBuilder<SqlBool> },
): Promise<AlarmCursor[]> {
  const starts = cursors.map((one) => one.startTime);
  const { rows } = await sql<AlarmCursor>`
    update alarm set ${set}
    where start_time = any(${starts}::bigint[]) and alarm_id = any(${cursors.map((one) => one.alarmId)}::text[])
      and ${where}
    returning start_time as "startTime", alarm_id as "alarmId"`.execute(database);
  return rows;
}
