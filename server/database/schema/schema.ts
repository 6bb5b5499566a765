// Types of the tables, by hand after migrations/*.sql. Times are milliseconds since 1970 UTC.
import type { WeekTimes } from '@vedette/contract/config/fields.ts';
import type { ImportRow } from '@vedette/contract/calls/onboarding.ts';
import type { RecordPlan, RecordPlanDay } from '@vedette/contract/calls/record-plan.ts';
import type { ExportOrderItem, SiteExport } from '@vedette/contract/site/site-export.ts';
import type { ColumnType, Generated, Selectable } from 'kysely';
import type { AccountSchema, AccountTable, SessionTable } from './account-schema.ts';
import type { AlarmSchema } from './alarm-schema.ts';
import type { AnalysisSchema } from './analysis-schema.ts';
import type { SightingSchema } from './sighting-schema.ts';
import type { AppSchema } from './app-schema.ts';
import type { AuditSchema } from './audit-schema.ts';
import type { ClientVersionSchema } from './client-version-schema.ts';
import type { CdnSchema } from './cdn-schema.ts';
import type { TrialSchema } from './trial-schema.ts';
import type { CloudSchema } from './cloud-schema.ts';
import type { ConsumptionSchema } from './consumption-schema.ts';
import type { FloorPlanSchema } from './floor-plan-schema.ts';
import type { IdentitySchema } from './identity-schema.ts';
import type { RecorderGroupSchema } from './recorder-group-schema.ts';
import type { RecordingMarkSchema } from './recording-mark-schema.ts';
import type { GrantTable, MediaTicketTable, ShareSchema, ShareTable } from './share-schema.ts';
import type { RoleSchema } from './role-schema.ts';
import type { StatisticSchema } from './statistic-schema.ts';
import type { ServerNodeSchema } from './server-node-schema.ts';
import type { WorkLeaseSchema } from './work-lease-schema.ts';

/** Written as JSON text, read parsed. */
type Json<T> = ColumnType<T, string, string>;
type Computed<T> = ColumnType<T, never, never>;

export interface SettingTable {
  name: string;
  value: Json<unknown>;
  version: Generated<number>;
}

export interface OrganizationTable {
  organization_id: string;
  owner_id: string;
  organization_name: string;
  parent_id: string | null;
  path: string[];
  position: ColumnType<number | null, never, number | null>;
  name_bigrams: Computed<string[]>;
  version: Generated<number>;
  created_at: number;
}

export interface DeviceTable {
  device_id: string;
  owner_id: string;
  device_serial: string;
  /** What the device says itself, where that is not `device_serial`. */
  reported_serial: ColumnType<string | null, string | null | undefined, string | null>;
  device_name: string;
  device_type: number;
  device_model: string;
  device_version: string;
  manufacturer: string;
  organization_id: string | null;
  driver: string;
  /** Null since it is sealed with the credentials; an earlier version kept it here. */
  native: ColumnType<Record<string, unknown> | null, string | null | undefined, string | null>;
  address: string;
  device_user_name: string;
  credentials: Buffer;
  is_operator_address: boolean;
  capabilities: Json<string[]>;
  /** Null: the zone of this installation. */
  time_zone: string | null;
  /** Whose network it stands in. */
  site_id: Generated<string>;
  /** Rises each time it goes to another site. */
  site_epoch: Generated<number>;
  /** Where it belongs while another site of the recorder group has it; null: where it is. */
  home_site_id: string | null;
  status: Generated<number>;
  status_reason: string | null;
  status_at: number | null;
  latest_online: number | null;
  name_bigrams: Computed<string[]>;
  version: Generated<number>;
  created_at: number;
}

export interface StoredStream {
  readonly quality: number;
  readonly codec: string;
  readonly width: number;
  readonly height: number;
  readonly fps: number | null;
  readonly kbps: number | null;
  readonly audio: string | null;
}

export interface StoredRecordPlan {
  readonly plan: readonly RecordPlanDay[];
  readonly holidayList: readonly string[];
  readonly preRoll: number;
  readonly retentionDays: number | null;
  readonly secondStream: boolean;
  /** Absent in plans of before: they are filled. */
  readonly fillsGaps?: boolean;
  readonly quotaBytes: number | null;
  /** Absent in plans of before: null. */
  readonly emptyRetention?: RecordPlan['emptyRetention'];
}

export interface ChannelTable {
  channel_id: string;
  device_id: string;
  channel_no: number;
  channel_name: string;
  channel_type: Generated<number>;
  status: Generated<number>;
  is_recording: Generated<boolean>;
  streams: Json<StoredStream[]>;
  record_quality: number | null;
  record_plan: ColumnType<StoredRecordPlan | null, string | null, string | null>;
  record_version: Generated<number>;
  backfill_from: number | null;
  name_bigrams: Computed<string[]>;
}

export interface PresetTable {
  channel_id: string;
  preset_index: number;
  /** The device's own text. */
  token: string;
  /** null: as the device calls it. */
  name: string | null;
}

export interface StoredPatrolStop {
  readonly presetIndex: number;
  /** Seconds. */
  readonly stay: number;
}

export interface PatrolTable {
  patrol_id: string;
  channel_id: string;
  name: string;
  stops: Json<StoredPatrolStop[]>;
}

export interface FootageRemovalTable {
  channel_id: string;
  device_serial: string;
  site_id: Generated<string>;
  requested_at: number;
}

export interface SiteTable {
  site_id: string;
  /** Whose devices it may take; null: everybody's, for the site beside the server. */
  owner_id: string | null;
  site_name: string;
  /** As it is typed at the far end; null for the site beside the server. */
  serial: string | null;
  /** SHA-256 of the credential that the site made for itself; null until it is enrolled. */
  credential_hash: string | null;
  code_hash: string | null;
  code_until: number | null;
  code_tries: Generated<number>;
  product_version: Generated<string>;
  public_address: Generated<string>;
  direct_addresses: ColumnType<string[], string | undefined, string>;
  last_seen: number | null;
  direct_at: number | null;
  is_direct: boolean | null;
  created_at: number;
  /** Of the local site: the server that it runs beside; null: none has said so yet. */
  node_id: string | null;
}

export interface StoredTile {
  readonly position: number;
  readonly deviceSerial: string;
  readonly channelNo: number;
}

export interface LayoutTable {
  layout_id: string;
  creator_id: string;
  owner_id: string;
  layout_name: string;
  layout_name_key: string;
  split: number;
  tiles: Json<StoredTile[]>;
  is_shared: boolean;
  version: Generated<number>;
  created_at: number;
  changed_at: number;
}

export interface DeviceImportTable {
  task_id: string;
  account_id: string;
  mode: string;
  is_probed: boolean;
  state: string;
  sealed: Buffer | null;
  results: Json<ImportRow[]>;
  created_at: number;
  expires_at: number;
}

export interface StoredExportItem extends ExportOrderItem {
  /** The share that the right came from; null for the owner and for roles. */
  readonly shareId: string | null;
}

export interface ExportTaskTable {
  task_id: string;
  account_id: string;
  items: Json<StoredExportItem[]>;
  name: string;
  device_serials: string[];
  /** Where it was ordered; null: where its device is. */
  site_id: string | null;
  state: string;
  code: number | null;
  report: ColumnType<SiteExport | null, string | null, string | null>;
  until: number | null;
  created_at: number;
  expires_at: number;
}

/** What devices of a model may be upgraded to; the file lies on disk under the id. */
export interface FirmwarePackageTable {
  package_id: string;
  owner_id: string;
  device_model: string;
  version: string;
  /** As it was called where it came from. */
  file_name: string;
  size_bytes: number;
  sha256: string;
  created_at: number;
}

/** The newest upgrade of each device. */
export interface DeviceUpgradeTable {
  device_id: string;
  package_id: string;
  from_version: string;
  to_version: string;
  state: string;
  percent: number;
  reason: string | null;
  started_at: number;
  ended_at: number | null;
}

/** When motion and people of a channel count. */
export interface ArmingPlanTable {
  channel_id: string;
  section: string;
  plan: Json<WeekTimes>;
}

/** What the operator set for the accounts of a user type. */
export interface QuotaDefaultTable {
  quota: string;
  user_type: string;
  most: number;
}

/** What the operator set for one account. */
export interface AccountQuotaTable {
  account_id: string;
  quota: string;
  most: number;
}

export interface DatabaseSchema
  extends AccountSchema,
    AlarmSchema,
    AnalysisSchema,
    AppSchema,
    AuditSchema,
    ClientVersionSchema,
    CdnSchema,
    TrialSchema,
    CloudSchema,
    ConsumptionSchema,
    FloorPlanSchema,
    IdentitySchema,
    RecorderGroupSchema,
    RecordingMarkSchema,
    RoleSchema,
    ShareSchema,
    SightingSchema,
    StatisticSchema,
    ServerNodeSchema,
    WorkLeaseSchema {
  arming_plan: ArmingPlanTable;
  firmware_package: FirmwarePackageTable;
  device_upgrade: DeviceUpgradeTable;
  patrol: PatrolTable;
  preset: PresetTable;
  setting: SettingTable;
  organization: OrganizationTable;
  device: DeviceTable;
  channel: ChannelTable;
  footage_removal: FootageRemovalTable;
  site: SiteTable;
  export_task: ExportTaskTable;
  device_import: DeviceImportTable;
  layout: LayoutTable;
  quota_default: QuotaDefaultTable;
  account_quota: AccountQuotaTable;
}

export type AccountRow = Selectable<AccountTable>;
export type SessionRow = Selectable<SessionTable>;
export type OrganizationRow = Selectable<OrganizationTable>;
export type DeviceRow = Selectable<DeviceTable>;
export type ChannelRow = Selectable<ChannelTable>;
export type ShareRow = Selectable<ShareTable>;
export type GrantRow = Selectable<GrantTable>;
export type ExportTaskRow = Selectable<ExportTaskTable>;
export type DeviceImportRow = Selectable<DeviceImportTable>;
export type MediaTicketRow = Selectable<MediaTicketTable>;
export type SiteRow = Selectable<SiteTable>;
export type LayoutRow = Selectable<LayoutTable>;
