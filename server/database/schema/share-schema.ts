// Types of the tables of rights (shares, grants, links, revocations, tickets, codes), by hand after migrations/*.sql. Times are milliseconds since 1970 UTC.
import type { ShareDay } from '@vedette/contract/calls/share.ts';
import type { ColumnType, Generated, Selectable } from 'kysely';

type Computed<T> = ColumnType<T, never, never>;

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
  /** False: passed on before that took a right of its own. */
  needs_reshare: Generated<boolean>;
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
  /** False: made before that took a right of its own. */
  needs_reshare: Generated<boolean>;
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

export interface RevocationTable {
  seq: Computed<number>;
  at: number;
  account_id: string | null;
  session_id: string | null;
  device_serial: string | null;
  reason: string;
}

export interface MediaTicketTable {
  ticket_id: string;
  ticket_hash: string;
  account_id: string;
  session_id: string;
  kind: 'live' | 'hls' | 'fragments' | 'snapshot' | 'probe' | 'export' | 'talk' | 'rtsp' | 'preset' | 'whep' | 'push';
  action: string;
  device_serial: string;
  channel_no: number;
  quality: number;
  start_time: number | null;
  end_time: number | null;
  probe_id: string | null;
  share_id: string | null;
  created_at: number;
  first_use_before: number;
  until: number | null;
  /** Of a guest's ticket: the link that it rests on. */
  link_hash: string | null;
  /** The site that holds it. */
  site_id: Generated<string>;
}

export type ShareLinkRow = Selectable<ShareLinkTable>;

/** By which a device may be taken over. */
export interface DeviceCodeTable {
  device_id: string;
  code_hash: string;
  code_until: number;
  code_tries: number;
}

/** A device offered to an account that has not accepted it yet; one offer for each device. */
export interface DeviceTransferTable {
  device_id: string;
  transfer_id: string;
  giver_id: string;
  taker_id: string;
  created_at: number;
  end_time: number;
}

export interface ShareSchema {
  share: ShareTable;
  lost_share: LostShareTable;
  share_link: ShareLinkTable;
  grant_row: GrantTable;
  revocation: RevocationTable;
  media_ticket: MediaTicketTable;
  device_code: DeviceCodeTable;
  device_transfer: DeviceTransferTable;
}
