// Types of the tables of sharing, by hand after migrations/*.sql. Times are milliseconds since 1970 UTC.
import type { ShareDay } from '@vedette/contract/calls/share.ts';
import type { ColumnType, Generated } from 'kysely';

export interface ShareTable {
  share_id: string;
  owner_id: string;
  grantee_id: string;
  share_type: number;
  share_name: string;
  description: string;
  start_time: number | null;
  end_time: number | null;
  created_at: number;
  /** Null: offered, and not taken yet. */
  accepted_at: number | null;
  weekly_hours: ColumnType<StoredHours | null, string | null, string | null>;
  role_id: string | null;
  version: Generated<number>;
}

export interface StoredHours {
  readonly plan: ShareDay[];
  readonly timeZone: string;
}

export interface LostShareTable {
  grantee_id: string;
  owner_id: string;
  organization_id: string | null;
  device_id: string | null;
  channel_no: number | null;
  ended_at: number;
}

export interface ShareLinkTable {
  link_hash: string;
  sealed: Buffer;
  owner_id: string;
  device_id: string;
  channel_no: number;
  kind: 'live' | 'clip';
  clip_start: number | null;
  clip_end: number | null;
  link_name: string;
  password_hash: string | null;
  end_time: number;
  revoked_at: number | null;
  open_count: Generated<number>;
  last_open_at: number | null;
  created_at: number;
}

export interface GrantTable {
  grant_id: string;
  grantee_id: string;
  owner_id: string;
  object_kind: 'organization' | 'device' | 'channel';
  organization_id: string | null;
  device_id: string | null;
  channel_no: number | null;
  permissions: string[];
  start_time: number | null;
  end_time: number | null;
  source: 'role' | 'share';
  share_id: string | null;
}

export interface ShareSchema {
  share: ShareTable;
  lost_share: LostShareTable;
  share_link: ShareLinkTable;
  grant_row: GrantTable;
}
