// Writes alarms in batches: one statement for new alarms, one for changed ones, one each for open ones.
import { ALARM_SEVERITIES, RAISED_ALARM_TYPES } from '@vedette/contract/alarm-types.ts';
import { type RawBuilder, sql } from 'kysely';
import { booleanArrayLiteral, numberArrayLiteral, textArrayLiteral } from '../array-literal.ts';
import type { AlarmChange, NewAlarm, OpenAlarm, OpenChanges, OpenAlarmKey } from './alarm-rows.ts';
import type { AlarmCursor } from './alarm-read.queries.ts';
import type { Database } from '../connection.ts';

const ORDER_LOCK = 7_183_229;

/** First statement of the transaction: changes then commit in outbox order, and no two transactions change the same source. */
export async function lockAlarms(database: Database): Promise<void> {
  await sql`select pg_advisory_xact_lock(${ORDER_LOCK})`.execute(database);
}

/** Stores event ids and returns the new ones. */
export async function claimNewEvents(
  database: Database,
  eventIds: readonly string[],
  at: number,
): Promise<ReadonlySet<string>> {
  if (eventIds.length === 0) return new Set();
  const asked = new Set(eventIds);
  // Usually all are new: then the row count is enough.
  const { rows } = await sql<{ ids: string[] | null; taken: number }>`
    with fresh as (
      insert into taken_event (event_id, at) select unnest(${textArrayLiteral([...asked])}::text[]), ${at}::bigint
      on conflict do nothing returning event_id
    )
    select case when count(*) < ${asked.size} then array_agg(event_id) end as ids, count(*)::integer as taken from fresh`.execute(
    database,
  );
  const [row] = rows;
  if (row?.ids === null && row.taken === asked.size) return asked;
  return new Set(row?.ids);
}

/** All open alarms of the devices. */
export async function openAlarmsOf(database: Database, deviceIds: readonly string[]): Promise<OpenAlarm[]> {
  if (deviceIds.length === 0) return [];
  const { rows } = await sql<OpenAlarm>`
    select ${OPEN} from open_alarm where device_id = any(${[...deviceIds]}::text[])`.execute(database);
  return rows;
}

/** Only those at the given places: a burst leaves many open ones that the batch does not concern. */
export async function openAlarmsAt(database: Database, places: readonly OpenAlarmKey[]): Promise<OpenAlarm[]> {
  if (places.length === 0) return [];
  const { rows } = await sql<OpenAlarm>`
    select ${OPEN} from unnest(${textArrayLiteral(places.map((one) => one.deviceId))}::text[],
      ${numberArrayLiteral(places.map((one) => one.channelNo))}::integer[], ${textArrayLiteral(places.map((one) => one.type))}::text[],
      ${textArrayLiteral(places.map((one) => one.sourceKey))}::text[]
    ) as place (device_id, channel_no, type, source_key)
    join open_alarm using (device_id, channel_no, type, source_key)`.execute(database);
  return rows;
}

export async function hasExpiredPulses(database: Database, now: number): Promise<boolean> {
  const { rows } = await sql`select 1 from open_alarm where hold_until < ${now} limit 1`.execute(database);
  return rows.length > 0;
}

/** Removes ended pulses from the open ones, oldest first; their ends are already stored. Returns how many. */
export async function endExpiredPulses(database: Database, now: number, limit: number): Promise<number> {
  const { rows } = await sql<{ changes: number }>`
    with over as (
      delete from open_alarm where ctid = any(array(
        select ctid from open_alarm where hold_until < ${now} order by hold_until limit ${limit}))
      returning start_time, alarm_id
    ), line as (
      select count(*) as changes, array_agg(start_time) as start_times, array_agg(alarm_id) as alarm_ids from over
    ), told as (
      insert into alarm_outbox (seq, at, start_times, alarm_ids, are_new)
      select setval('alarm_outbox_number', nextval('alarm_outbox_number') + changes - 1), ${now}::bigint,
        start_times, alarm_ids, array_fill(false, array[changes::integer])
      from line where changes > 0
    )
    select changes from line`.execute(database);
  return rows[0]?.changes ?? 0;
}

const OPEN = sql`device_id as "deviceId", channel_no as "channelNo", type, source_key as "sourceKey",
  start_time as "startTime", alarm_id as "alarmId", hold_until as "holdUntil"`;

export async function insertAlarms(database: Database, alarms: readonly NewAlarm[]): Promise<void> {
  if (alarms.length === 0) return;
  const numbers = (read: (alarm: NewAlarm) => number | null) => numberArrayLiteral(alarms.map(read));
  const texts = (read: (alarm: NewAlarm) => string | null) => textArrayLiteral(alarms.map(read));
  await sql`
    insert into alarm (start_time, alarm_id, owner_id, device_id, channel_no, type, severity, topic, source, data,
      device_at, end_time, end_reason, repeat_count)
    select start_time, alarm_id, owner_id, device_id, channel_no, type, severity, topic, source::jsonb, data::jsonb,
      device_at, end_time, end_reason, repeat_count
    from unnest(
      ${numbers((one) => one.startTime)}::bigint[], ${texts((one) => one.alarmId)}::text[],
      ${texts((one) => one.ownerId)}::text[], ${texts((one) => one.deviceId)}::text[],
      ${numbers((one) => one.channelNo)}::integer[], ${texts((one) => one.type)}::text[],
      ${numbers((one) => ALARM_SEVERITIES.indexOf(RAISED_ALARM_TYPES[one.type].severity))}::smallint[],
      ${texts((one) => one.topic)}::text[], ${texts((one) => JSON.stringify(one.source))}::text[],
      ${texts((one) => JSON.stringify(one.data))}::text[], ${numbers((one) => one.deviceAt)}::bigint[],
      ${numbers((one) => one.endTime)}::bigint[], ${texts((one) => one.endReason)}::text[],
      ${numbers((one) => one.repeatCount)}::integer[]
    ) as fresh (start_time, alarm_id, owner_id, device_id, channel_no, type, severity, topic, source, data,
      device_at, end_time, end_reason, repeat_count)`.execute(database);
}

export async function changeAlarms(database: Database, all: readonly AlarmChange[]): Promise<void> {
  const changes = all.filter((one) => one.isEndSet || one.repeats > 0);
  if (changes.length === 0) return;
  const column = <T>(read: (change: AlarmChange) => T): T[] => changes.map(read);
  const starts = column((one) => one.startTime);
  // Explicit bounds select partitions before the join.
  await sql`
    update alarm set end_time = case when change.is_end_told then change.end_time else alarm.end_time end,
      end_reason = case when change.is_end_told then change.end_reason else alarm.end_reason end,
      repeat_count = repeat_count + change.repeats,
      -- What somebody has seen is done with when it ends; what nobody saw stays.
      closed_at = case when closed_at is null and acknowledged_at is not null and change.end_reason = 'cleared'
        then change.end_time else closed_at end
    from unnest(${starts}::bigint[], ${column((one) => one.alarmId)}::text[],
      ${column((one) => one.endTime)}::bigint[], ${column((one) => one.endReason)}::text[],
      ${column((one) => one.isEndSet)}::boolean[], ${column((one) => one.repeats)}::integer[]
    ) as change (start_time, alarm_id, end_time, end_reason, is_end_told, repeats)
    where alarm.start_time = change.start_time and alarm.alarm_id = change.alarm_id
      and alarm.start_time between ${Math.min(...starts)} and ${Math.max(...starts)}`.execute(database);
}

export async function writeOpenAlarms(database: Database, { begun, changed, gone }: OpenChanges): Promise<void> {
  if (gone.length > 0) {
    await sql`
      delete from open_alarm using unnest(${gone.map((one) => one.deviceId)}::text[],
        ${gone.map((one) => one.channelNo)}::integer[], ${gone.map((one) => one.type)}::text[],
        ${gone.map((one) => one.sourceKey)}::text[]) as gone (device_id, channel_no, type, source_key)
      where open_alarm.device_id = gone.device_id and open_alarm.channel_no = gone.channel_no
        and open_alarm.type = gone.type and open_alarm.source_key = gone.source_key`.execute(database);
  }
  await putOpenAlarms(database, begun, sql``);
  const replacing = sql`on conflict (device_id, channel_no, type, source_key)
    do update set start_time = excluded.start_time, alarm_id = excluded.alarm_id, hold_until = excluded.hold_until`;
  await putOpenAlarms(database, changed, replacing);
}

async function putOpenAlarms(database: Database, put: readonly OpenAlarm[], conflict: RawBuilder<unknown>) {
  if (put.length === 0) return;
  const numbers = (read: (alarm: OpenAlarm) => number | null) => numberArrayLiteral(put.map(read));
  const texts = (read: (alarm: OpenAlarm) => string) => textArrayLiteral(put.map(read));
  await sql`
    insert into open_alarm (device_id, channel_no, type, source_key, start_time, alarm_id, hold_until)
    select * from unnest(${texts((one) => one.deviceId)}::text[], ${numbers((one) => one.channelNo)}::integer[],
      ${texts((one) => one.type)}::text[], ${texts((one) => one.sourceKey)}::text[],
      ${numbers((one) => one.startTime)}::bigint[], ${texts((one) => one.alarmId)}::text[],
      ${numbers((one) => one.holdUntil)}::bigint[]) ${conflict}`.execute(database);
}

/** One change of an alarm. */
export interface OutboxEntry extends AlarmCursor {
  readonly isNew: boolean;
}

/** All changes form one row, numbered by its last; the lock keeps numbers unique. */
export async function appendOutbox(database: Database, entries: readonly OutboxEntry[], at: number): Promise<void> {
  if (entries.length === 0) return;
  await sql`
    insert into alarm_outbox (seq, at, start_times, alarm_ids, are_new)
    values (setval('alarm_outbox_number', nextval('alarm_outbox_number') + ${entries.length - 1}), ${at}::bigint,
      ${numberArrayLiteral(entries.map((one) => one.startTime))}::bigint[],
      ${textArrayLiteral(entries.map((one) => one.alarmId))}::text[], ${booleanArrayLiteral(entries.map((one) => one.isNew))}::boolean[])`.execute(
    database,
  );
}

export async function deleteOldProcessedEvents(database: Database, before: number): Promise<void> {
  // Keeps the newest row, since numbering continues from it.
  await sql`delete from alarm_outbox where at < ${before} and seq < (select max(seq) from alarm_outbox)`.execute(
    database,
  );
  await database.deleteFrom('taken_event').where('at', '<', before).execute();
}
