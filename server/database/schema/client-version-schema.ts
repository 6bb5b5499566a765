// Types of the table of client versions, by hand after migrations/*.sql. Times are milliseconds since 1970 UTC.
import type { ClientPlatform } from '@vedette/contract/calls/client-version.ts';
import type { Generated, Selectable } from 'kysely';

interface ClientVersionTable {
  version_id: string;
  platform: ClientPlatform;
  version_name: string;
  external_version: string;
  version_order: number[];
  must_upgrade_version: string;
  content_en: string;
  content_zh: string;
  redirect_url: string;
  rollout_percent: number;
  is_published: boolean;
  file_name: Generated<string>;
  size_bytes: Generated<number>;
  sha256: Generated<string>;
  signature: Generated<string>;
  public_key: Generated<string>;
  version: Generated<number>;
  created_at: number;
  changed_at: number;
}

export type ClientVersionRow = Selectable<ClientVersionTable>;

export interface ClientVersionSchema {
  client_version: ClientVersionTable;
}
