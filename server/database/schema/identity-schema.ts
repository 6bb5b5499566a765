// Types of the tables of identity providers, by hand after the migrations.
import type { DirectorySettings } from '@vedette/contract/calls/directory-settings.ts';
import type { ColumnType, Generated, Selectable } from 'kysely';

export interface IdentityProviderTable {
  provider_id: string;
  owner_id: string;
  provider_name: string;
  issuer: string;
  client_id: string;
  /** Sealed; null: a public client. */
  client_secret: Buffer | null;
  scopes: string;
  is_enabled: boolean;
  creates_accounts: boolean;
  links_by_email: boolean;
  version: Generated<number>;
  created_at: number;
  /** As JSON text; null: OpenID Connect. */
  directory: ColumnType<DirectorySettings | null, string | null, string | null>;
}

export interface IdentityMappingTable {
  provider_id: string;
  position: number;
  claim: string;
  value: string;
  role_id: string | null;
  organization_id: string | null;
}

export interface IdentityLinkTable {
  issuer: string;
  subject: string;
  provider_id: string;
  account_id: string;
  is_managed: boolean;
  user_label: string;
  created_at: number;
  last_used_at: number;
  gone_at: number | null;
}

/** `client`: a native client waits for it; `ticket`: what that client takes it over by. */
export type IdentityPurpose = 'signIn' | 'link' | 'proof' | 'client' | 'ticket';

export interface IdentityFlowTable {
  state_hash: Buffer;
  provider_id: string;
  cookie_hash: Buffer;
  secrets: Buffer;
  purpose: IdentityPurpose;
  session_id: string | null;
  redirect_url: string;
  created_at: number;
  expires_at: number;
}

export interface IdentitySchema {
  identity_provider: IdentityProviderTable;
  identity_mapping: IdentityMappingTable;
  identity_link: IdentityLinkTable;
  identity_flow: IdentityFlowTable;
}

export type IdentityProviderRow = Selectable<IdentityProviderTable>;
export type IdentityMappingRow = Selectable<IdentityMappingTable>;
export type IdentityLinkRow = Selectable<IdentityLinkTable>;
export type IdentityFlowRow = Selectable<IdentityFlowTable>;
