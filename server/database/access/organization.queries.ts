// Reads and writes the organisation tree.
import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { Database } from '../connection.ts';
import { likePattern } from '../search-text.ts';
import type { OrganizationRow } from '../schema/schema.ts';

export function findOrganization(database: Database, organizationId: string): Promise<OrganizationRow | undefined> {
  return database
    .selectFrom('organization')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .executeTakeFirst();
}

export async function insertOrganization(
  database: Database,
  row: Pick<
    OrganizationRow,
    'organization_id' | 'owner_id' | 'organization_name' | 'parent_id' | 'path' | 'created_at'
  >,
): Promise<void> {
  await database.insertInto('organization').values(row).execute();
}

/** False if `version` is outdated. */
export async function renameOrganization(
  database: Database,
  organizationId: string,
  change: { organizationName: string; version: number },
): Promise<boolean> {
  const row = await database
    .updateTable('organization')
    .set((expression) => ({ organization_name: change.organizationName, version: expression('version', '+', 1) }))
    .where('organization_id', '=', organizationId)
    .where('version', '=', change.version)
    .returning('organization_id')
    .executeTakeFirst();
  return row !== undefined;
}

export function findOwnOrganizationByName(
  database: Database,
  ownerId: string,
  parentId: string | null,
  name: string,
): Promise<OrganizationRow | undefined> {
  return database
    .selectFrom('organization')
    .selectAll()
    .where('owner_id', '=', ownerId)
    .where('parent_id', parentId === null ? 'is' : '=', parentId)
    .where('organization_name', '=', name)
    .executeTakeFirst();
}

/**
 * Visible organisations directly below one. Below the root (null) are those without a parent and those whose parent
 * the caller cannot see, so that a shared branch appears at the root.
 */
export function organizationsBelow(database: Database, visible: RawBuilder<SqlBool>, parentId: string | null) {
  const query = database.selectFrom('organization').where(visible);
  if (parentId !== null) return query.where('organization.parent_id', '=', parentId);
  return query.where(
    sql<SqlBool>`(organization.parent_id is null or not exists (
      select 1 from organization as parent where parent.organization_id = organization.parent_id and ${aliased(visible)}))`,
  );
}

/** The same condition on the alias `parent`, by a subquery that renames the table. */
function aliased(visible: RawBuilder<SqlBool>): RawBuilder<SqlBool> {
  return sql<SqlBool>`exists (select 1 from organization where organization.organization_id = parent.organization_id and ${visible})`;
}

export function searchOrganizations(database: Database, visible: RawBuilder<SqlBool>, keyWord: string) {
  return database
    .selectFrom('organization')
    .where(visible)
    .where(sql<SqlBool>`organization.name_bigrams @> bigrams(${keyWord})`)
    .where(sql<SqlBool>`lower(organization.organization_name) like ${likePattern(keyWord)}`);
}

export async function namesOfAccounts(database: Database, accountIds: readonly string[]): Promise<Map<string, string>> {
  if (accountIds.length === 0) return new Map();
  const rows = await database
    .selectFrom('account')
    .select(['account_id', 'user_name'])
    .where('account_id', 'in', [...new Set(accountIds)])
    .execute();
  return new Map(rows.map((row) => [row.account_id, row.user_name]));
}
