// Reads and writes identity providers and their mappings to roles.
import type { DirectorySettings } from '@vedette/contract/calls/directory-settings.ts';
import { sql } from 'kysely';
import type { Database } from '../connection.ts';
import type { IdentityMappingRow, IdentityProviderRow } from '../schema/identity-schema.ts';

export type ProviderColumns = Omit<
  IdentityProviderRow,
  'provider_id' | 'owner_id' | 'version' | 'created_at' | 'directory'
> & {
  /** As JSON text. */
  readonly directory: string | null;
};
export type DirectoryProviderRow = IdentityProviderRow & { readonly directory: DirectorySettings };
export type MappingColumns = Omit<IdentityMappingRow, 'provider_id' | 'position'>;
export type ProviderWithTotal = IdentityProviderRow & { readonly link_total: number };

export async function listIdentityProviders(database: Database): Promise<ProviderWithTotal[]> {
  return await database
    .selectFrom('identity_provider')
    .selectAll()
    .select(
      sql<number>`(select count(*)::integer from identity_link where provider_id = identity_provider.provider_id)`.as(
        'link_total',
      ),
    )
    .orderBy('created_at')
    .orderBy('provider_id')
    .execute();
}

/** Those of OpenID Connect, as the sign-in page offers them. */
export async function enabledIdentityProviders(
  database: Database,
): Promise<{ readonly provider_id: string; readonly provider_name: string }[]> {
  return await database
    .selectFrom('identity_provider')
    .select(['provider_id', 'provider_name'])
    .where('is_enabled', '=', true)
    .where('directory', 'is', null)
    .orderBy('created_at')
    .orderBy('provider_id')
    .execute();
}

/** In the order in which they are asked. */
export async function enabledDirectories(database: Database): Promise<DirectoryProviderRow[]> {
  const rows = await database
    .selectFrom('identity_provider')
    .selectAll()
    .where('is_enabled', '=', true)
    .where('directory', 'is not', null)
    .orderBy('created_at')
    .orderBy('provider_id')
    .execute();
  return rows.flatMap(({ directory, ...row }) => (directory === null ? [] : [{ ...row, directory }]));
}

export async function findIdentityProvider(
  database: Database,
  providerId: string,
): Promise<IdentityProviderRow | undefined> {
  return await database
    .selectFrom('identity_provider')
    .selectAll()
    .where('provider_id', '=', providerId)
    .executeTakeFirst();
}

/** In the order in which they are tried. */
export async function mappingsOf(database: Database, providerIds: readonly string[]): Promise<IdentityMappingRow[]> {
  if (providerIds.length === 0) return [];
  return await database
    .selectFrom('identity_mapping')
    .selectAll()
    .where('provider_id', 'in', [...providerIds])
    .orderBy('position')
    .execute();
}

/** Rejects with a unique violation where another provider has the issuer. */
export async function insertIdentityProvider(
  database: Database,
  provider: ProviderColumns & Pick<IdentityProviderRow, 'provider_id' | 'owner_id' | 'created_at'>,
): Promise<void> {
  await database.insertInto('identity_provider').values(provider).execute();
}

/** False where it has another version by now, or is gone. */
export async function updateIdentityProvider(
  database: Database,
  which: { readonly providerId: string; readonly version: number },
  columns: ProviderColumns,
): Promise<boolean> {
  const row = await database
    .updateTable('identity_provider')
    .set({ ...columns, version: sql`version + 1` })
    .where('provider_id', '=', which.providerId)
    .where('version', '=', which.version)
    .returning('provider_id')
    .executeTakeFirst();
  return row !== undefined;
}

export async function replaceMappings(
  database: Database,
  providerId: string,
  mappings: readonly MappingColumns[],
): Promise<void> {
  await database.deleteFrom('identity_mapping').where('provider_id', '=', providerId).execute();
  const rows = mappings.map((mapping, position) => ({ ...mapping, position, provider_id: providerId }));
  if (rows.length > 0) await database.insertInto('identity_mapping').values(rows).execute();
}

export async function deleteIdentityProvider(database: Database, providerId: string): Promise<void> {
  await database.deleteFrom('identity_provider').where('provider_id', '=', providerId).execute();
}
