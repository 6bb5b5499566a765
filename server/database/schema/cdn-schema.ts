// Types of the tables of CDN live, by hand after migrations/*.sql. Times are milliseconds since 1970 UTC.
import type { CdnProviderKind, CdnSigning } from '@vedette/contract/enumerations.ts';
import type { Generated, Selectable } from 'kysely';

interface CdnProviderTable {
  provider_id: string;
  provider_name: string;
  kind: CdnProviderKind;
  publish_address: string;
  rtmp_address: string;
  hls_address: string;
  flv_address: string;
  base_address: string;
  signing: CdnSigning;
  signing_key: Buffer;
  valid_minutes: number;
  version: Generated<number>;
  created_at: number;
}

interface CdnLiveTable {
  live_id: string;
  provider_id: string;
  channel_id: string;
  quality: 0 | 1 | 2;
  account_id: string;
  ticket_hash: string;
  holder_id: string | null;
  started_at: number;
  metered_at: number;
}

interface CdnPackageTable {
  code_hash: string;
  minutes: number;
  streams: number;
  created_at: number;
  account_id: string | null;
  activated_at: number | null;
}

interface CdnUseTable {
  account_id: string;
  used_ms: number;
}

export type CdnProviderRow = Selectable<CdnProviderTable>;
export type CdnLiveRow = Selectable<CdnLiveTable>;

export interface CdnSchema {
  cdn_provider: CdnProviderTable;
  cdn_live: CdnLiveTable;
  cdn_package: CdnPackageTable;
  cdn_use: CdnUseTable;
}
