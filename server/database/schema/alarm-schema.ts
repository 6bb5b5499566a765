// Types of the tables of alarms, by hand after the migrations. Times are milliseconds since 1970 UTC.
import type { AlarmChannelKind, DeliveryReason, DeliveryState } from '@vedette/contract/alarm-channels.ts';
import type { AlarmEndReason, RaisedAlarmType } from '@vedette/contract/alarm-types.ts';
import type { AlarmSuppression, AlarmRuleAction, AlarmRuleDefinition } from '@vedette/contract/calls/alarm-rule.ts';
import type { ColumnType, Generated, Selectable } from 'kysely';

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
  assigned_to: string | null;
  assigned_at: number | null;
  closed_at: number | null;
  closed_by: string | null;
  comments: ColumnType<StoredComment[], string | undefined, string>;
  picture_at: number | null;
}

interface AlarmPictureTable {
  start_time: number;
  alarm_id: string;
  content_type: string;
  data: Buffer;
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
  /** Of the last of its changes. */
  seq: number;
  at: number;
  start_times: number[];
  alarm_ids: string[];
  are_new: boolean[];
}

type Json<T> = ColumnType<T, string, string>;

interface AlarmRuleTable {
  rule_id: string;
  account_id: string;
  definition: Json<AlarmRuleDefinition>;
  is_enabled: boolean;
  version: Generated<number>;
  created_at: number;
}

interface AlarmChannelTable {
  channel_id: string;
  account_id: string;
  kind: AlarmChannelKind;
  channel_name: string;
  is_enabled: boolean;
  settings: Json<Record<string, string>>;
  sealed: Buffer;
  kept_secrets: string[];
  version: Generated<number>;
  created_at: number;
  last_at: number | null;
  last_reason: DeliveryReason | null;
}

interface AlarmDeliveryTable {
  delivery_id: string;
  rule_id: string;
  account_id: string;
  step: string;
  action: Json<AlarmRuleAction>;
  channel_id: string | null;
  start_time: number;
  alarm_id: string;
  type: RaisedAlarmType;
  fold_key: string;
  folded_count: Generated<number>;
  state: DeliveryState;
  reason: DeliveryReason | null;
  detail: Generated<string>;
  attempts: Generated<number>;
  created_at: number;
  done_at: number | null;
  due_at: number;
}

interface OutboxPositionTable {
  name: string;
  seq: number;
}

interface AlarmQuietTable {
  account_id: string;
  quiet: Json<AlarmSuppression>;
}

interface IngestKeyTable {
  key_id: string;
  account_id: string;
  key_name: string;
  token_hash: Buffer;
  created_at: number;
  last_at: number | null;
}

interface MailConsentTable {
  account_id: string;
  address: string;
  token_hash: Buffer;
  stop_hash: Buffer | null;
  asked_at: number;
  expires_at: number;
  confirmed_at: number | null;
}

interface MailAddressTable {
  address_hash: Buffer;
  asked_count: number;
  asked_at: number;
  refused_at: number | null;
}

export type MailConsentRow = Selectable<MailConsentTable>;
export type MailAddressRow = Selectable<MailAddressTable>;
export type AlarmRuleRow = Selectable<AlarmRuleTable>;
export type AlarmChannelRow = Selectable<AlarmChannelTable>;
export type AlarmDeliveryRow = Selectable<AlarmDeliveryTable>;
export type IngestKeyRow = Selectable<IngestKeyTable>;

export interface AlarmSchema {
  alarm_rule: AlarmRuleTable;
  alarm_channel: AlarmChannelTable;
  alarm_delivery: AlarmDeliveryTable;
  outbox_position: OutboxPositionTable;
  alarm_quiet: AlarmQuietTable;
  ingest_key: IngestKeyTable;
  mail_consent: MailConsentTable;
  mail_address: MailAddressTable;
  alarm: AlarmTable;
  alarm_picture: AlarmPictureTable;
  open_alarm: OpenAlarmTable;
  taken_event: TakenEventTable;
  alarm_outbox: AlarmOutboxTable;
}
