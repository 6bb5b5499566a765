// Types of the tables of apps and of the OAuth provider, by hand after migrations/*.sql. Times are milliseconds since 1970 UTC.
import type { AppScope } from '@vedette/contract/app-scopes.ts';
import type { Generated, Selectable } from 'kysely';

interface AppTable {
  app_id: string;
  owner_id: string;
  app_name: string;
  logo: string;
  redirect_uris: string[];
  embed_origins: string[];
  scopes: AppScope[];
  is_public: boolean;
  is_enabled: boolean;
  is_approved: Generated<boolean>;
  secret_hash: Buffer | null;
  old_secret_hash: Buffer | null;
  old_secret_until: number | null;
  version: Generated<number>;
  created_at: number;
  changed_at: number;
}

interface AppGrantTable {
  grant_id: string;
  app_id: string;
  account_id: string;
  scopes: AppScope[];
  end_time: number | null;
  created_at: number;
  last_used_at: number | null;
}

interface AppGrantItemTable {
  grant_id: string;
  owner_id: string;
  organization_id: string | null;
  device_id: string | null;
}

interface OidcRecordTable {
  /** Name of a model of oidc-provider, for example `AccessToken`. */
  model: string;
  id_hash: Buffer;
  /** Sealed JSON. */
  payload: Buffer;
  app_id: string | null;
  grant_id: string | null;
  user_code_hash: Buffer | null;
  uid_hash: Buffer | null;
  scopes: AppScope[];
  /** RFC 7638, of the key that a token is bound to; null: of none. */
  key_thumbprint: string | null;
  consumed_at: number | null;
  /** Null: with its grant. */
  expires_at: number | null;
}

interface OidcKeyTable {
  key_id: string;
  /** Sealed JWK. */
  private_key: Buffer;
  created_at: number;
}

export type AppRow = Selectable<AppTable>;
export type AppGrantRow = Selectable<AppGrantTable>;
export type AppGrantItemRow = Selectable<AppGrantItemTable>;
export type OidcRecordRow = Selectable<OidcRecordTable>;

export interface AppSchema {
  app: AppTable;
  app_grant: AppGrantTable;
  app_grant_item: AppGrantItemTable;
  oidc_record: OidcRecordTable;
  oidc_key: OidcKeyTable;
}
