// Types of the tables of alarms, by hand after migrations/0008_alarms.sql. Times are milliseconds since 1970 UTC.
import type { AlarmEndReason, RaisedAlarmType } from '@vedette/contract/alarm-types.ts';
import type { ColumnType, Generated } from 'kysely';

export interface StoredComment {
  readonly accountId: string;
  readonly text: string;
  readonly time: number;
}

interface AlarmTable {
  start_time: number;
  alarm_id: string;
  owner_id: string;
  device_id: string;
  channel_no: number;
  type: RaisedAlarmType;
  severity: number;
  topic: string;
  source: ColumnType<Record<string, string>, string, string>;
  data: ColumnType<Record<string, string>, string, string>;
  device_at: number | null;
  end_time: number | null;
  end_reason: AlarmEndReason | null;
  repeat_count: Generated<number>;
  acknowledged_at: number | null;
  acknowledged_by: string | null;
  comments: ColumnType<StoredComment[], string | undefined, string>;
}

interface OpenAlarmTable {
  device_id: string;
  channel_no: number;
  type: RaisedAlarmType;
  source_key: string;
  start_time: number;
  alarm_id: string;
  hold_until: number | null;
}

interface TakenEventTable {
  event_id: string;
  at: number;
}

interface AlarmOutboxTable {
  seq: ColumnType<number, never, never>;
  at: number;
  start_time: number;
  alarm_id: string;
  is_new: boolean;
}

export interface AlarmSchema {
  alarm: AlarmTable;
  open_alarm: OpenAlarmTable;
  taken_event: TakenEventTable;
  alarm_outbox: AlarmOutboxTable;
}
