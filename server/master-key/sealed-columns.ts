// Every column of the database that holds values sealed with the master key: what a change of that key seals anew.
import type { DatabaseSchema } from '../database/schema/schema.ts';

/** A column name is text, or bytes as Buffer. */
export type KeyValue = string | Buffer;

export interface SealedColumn {
  readonly table: keyof DatabaseSchema;
  readonly column: string;
  /** The primary key. */
  readonly key: readonly string[];
  /** What a value may be bound to, from the values of its key; the code that seals it is named beside. */
  readonly boundTo: (...key: KeyValue[]) => readonly string[];
}

const itself = (id: KeyValue): string[] => [String(id)];
const hex = (hash: KeyValue | undefined): string => (Buffer.isBuffer(hash) ? hash.toString('hex') : '');

export const SEALED_COLUMNS: readonly SealedColumn[] = [
  // site-link/device-secrets.ts
  { table: 'device', column: 'credentials', key: ['device_id'], boundTo: itself },
  // features/device/import/import-service.ts
  { table: 'device_import', column: 'sealed', key: ['task_id'], boundTo: itself },
  // features/alarm-rule/alarm-channel.handlers.ts
  { table: 'alarm_channel', column: 'sealed', key: ['channel_id'], boundTo: itself },
  // features/cdn/provider-columns.ts
  { table: 'cdn_provider', column: 'signing_key', key: ['provider_id'], boundTo: itself },
  // features/cloud/object-store.handlers.ts
  { table: 'object_store', column: 'secret_key', key: ['store_id'], boundTo: itself },
  // features/share/link-maker.ts
  { table: 'share_link', column: 'sealed', key: ['link_hash'], boundTo: itself },
  // auth/two-factor-auth.ts
  { table: 'second_factor', column: 'secret', key: ['account_id'], boundTo: (id) => [`second factor ${id}`] },
  // features/identity/provider-columns.ts
  {
    table: 'identity_provider',
    column: 'client_secret',
    key: ['provider_id'],
    boundTo: (id) => [`identity provider ${id}`],
  },
  // features/identity/identity-flows.ts, features/identity/client-tickets.ts
  {
    table: 'identity_flow',
    column: 'secrets',
    key: ['state_hash'],
    boundTo: (hash) => [`identity flow ${hex(hash)}`, `identity ticket ${hex(hash)}`],
  },
  // features/oauth/signing-keys.ts
  { table: 'oidc_key', column: 'private_key', key: ['key_id'], boundTo: (id) => [`oidc key ${id}`] },
  // features/oauth/oidc-adapter.ts
  {
    table: 'oidc_record',
    column: 'payload',
    key: ['model', 'id_hash'],
    boundTo: (model, hash) => [`oidc ${model} ${hex(hash)}`],
  },
];
