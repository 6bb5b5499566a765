// Changes the organisation tree of one owner: add, move and delete one at a time, so that it never has a cycle or an orphan.
import { sql } from 'kysely';
import { CallError, fieldError, requireFound } from '../../core/call-error.ts';
import type { Database } from '../../database/connection.ts';
import { granteesAround } from '../../database/access/grant.queries.ts';
import { findOrganization, insertOrganization } from '../../database/access/organization.queries.ts';
import { insertRevocations } from '../../database/access/revocation.queries.ts';
import type { OrganizationRow } from '../../database/schema/schema.ts';
import { isForeignKeyViolation } from '../../database/unique-violation.ts';
import { newId } from '@vedette/foundation/random/ids.ts';
import { reserveQuota } from '../../quota/reserve-quota.ts';

/** Deepest tree: each row stores its full path. */
export const DEPTH_MAX = 32;
/** First key of tree locks; the second is the owner. */
const TREE_LOCKS = 7183;

export interface TreeContent {
  readonly organizationTotal: number;
  readonly deviceTotal: number;
}

/** Serializes changes of one owner's tree; rows are read again inside. */
async function changeTree<T>(
  database: Database,
  ownerId: string,
  change: (transaction: Database) => Promise<T>,
): Promise<T> {
  return await database.transaction().execute(async (transaction) => {
    await sql`select pg_advisory_xact_lock(${TREE_LOCKS}, hashtext(${ownerId}))`.execute(transaction);
    return await change(transaction);
  });
}

export async function addOrganization(
  database: Database,
  order: { ownerId: string; parent: Pick<OrganizationRow, 'organization_id'> | null; name: string; now: number },
): Promise<OrganizationRow> {
  return await changeTree(database, order.ownerId, async (transaction) => {
    await reserveQuota(transaction, { accountId: order.ownerId, now: order.now, take: { organizations: 1 } });
    const path = await pathOf(transaction, order.parent?.organization_id ?? null);
    if (path.length >= DEPTH_MAX) throw fieldError({ parentOrgId: 'notAllowed' });
    const organizationId = newId();
    await insertOrganization(transaction, {
      organization_id: organizationId,
      owner_id: order.ownerId,
      organization_name: order.name,
      parent_id: order.parent?.organization_id ?? null,
      path: [...path, organizationId],
      created_at: order.now,
    });
    return await existing(transaction, organizationId);
  });
}

/** Throws 1010 with nothing where the version is not the stored one any more, 1003 for a move under itself or too deep. */
export async function moveOrganization(
  database: Database,
  order: { ownerId: string; organizationId: string; parentId: string | null; version: number | undefined; now: number },
): Promise<OrganizationRow> {
  const { ownerId, organizationId, parentId, version, now } = order;
  return await changeTree(database, ownerId, async (transaction) => {
    const row = await existing(transaction, organizationId);
    if (version !== undefined && row.version !== version) throw new CallError('stale');
    const parentPath = await pathOf(transaction, parentId);
    if (parentPath.includes(organizationId)) throw fieldError({ parentOrgId: 'notAllowed' });
    if (parentPath.length + (await heightOf(transaction, row)) > DEPTH_MAX) {
      throw fieldError({ parentOrgId: 'notAllowed' });
    }
    await notifyAffected(transaction, ownerId, [row.path, parentPath], now);
    await putBelow(transaction, row, parentId, parentPath);
    return await existing(transaction, organizationId);
  });
}

/** Ignores ids that are no longer children of the parent. */
export async function orderOrganizations(
  database: Database,
  order: { ownerId: string; parentId: string | null; organizationIds: readonly string[] },
): Promise<void> {
  const { ownerId, parentId } = order;
  await changeTree(database, ownerId, async (transaction) => {
    const below = transaction
      .updateTable('organization')
      .where('owner_id', '=', ownerId)
      .where('parent_id', parentId === null ? 'is' : '=', parentId);
    await below.set({ position: null }).execute();
    const ids = [...new Set(order.organizationIds)];
    for (const [at, id] of ids.entries()) {
      await below
        .set({ position: at + 1 })
        .where('organization_id', '=', id)
        .execute();
    }
  });
}

export interface Deletion {
  readonly ownerId: string;
  readonly organizationId: string;
  /** Target of the content; undefined refuses to delete a non-empty organisation. Null is the root. */
  readonly moveTo: string | null | undefined;
  readonly now: number;
}

/** Throws 1030 with the counts if it is not empty and no target is given. */
export async function deleteOrganization(database: Database, order: Deletion, tries = 3): Promise<TreeContent> {
  try {
    return await deleteOnce(database, order);
  } catch (error) {
    // A device added meanwhile is moved with the others.
    if (!isForeignKeyViolation(error) || tries <= 1) throw error;
    return await deleteOrganization(database, order, tries - 1);
  }
}

async function deleteOnce(database: Database, order: Deletion): Promise<TreeContent> {
  const { ownerId, organizationId, moveTo, now } = order;
  return await changeTree(database, ownerId, async (transaction) => {
    const row = await existing(transaction, organizationId);
    const children = await transaction
      .selectFrom('organization')
      .selectAll()
      .where('parent_id', '=', organizationId)
      .execute();
    const content = { organizationTotal: children.length, deviceTotal: await countDevicesIn(transaction, row) };
    const isEmpty = content.organizationTotal + content.deviceTotal === 0;
    if (!isEmpty && moveTo === undefined) throw new CallError('organizationNotEmpty', content);
    const targetPath = await pathOf(transaction, moveTo ?? null);
    if (targetPath.includes(organizationId)) throw fieldError({ moveTo: 'notAllowed' });
    await notifyAffected(transaction, ownerId, [row.path, targetPath], now);
    for (const child of children) {
      if (targetPath.length + (await heightOf(transaction, child)) > DEPTH_MAX)
        throw fieldError({ moveTo: 'notAllowed' });
      await putBelow(transaction, child, moveTo ?? null, targetPath);
    }
    await moveDevices(transaction, organizationId, moveTo ?? null);
    await transaction.deleteFrom('organization').where('organization_id', '=', organizationId).execute();
    await dropEmptyShares(transaction, ownerId);
    return content;
  });
}

/** Ownership was checked before the lock. */
async function existing(database: Database, organizationId: string): Promise<OrganizationRow> {
  return requireFound(await findOrganization(database, organizationId), 'notFound');
}

async function pathOf(database: Database, parentId: string | null): Promise<readonly string[]> {
  return parentId === null ? [] : (await existing(database, parentId)).path;
}

/** Levels from the organisation to the deepest below it; itself counts. */
async function heightOf(database: Database, row: OrganizationRow): Promise<number> {
  const { deepest } = await database
    .selectFrom('organization')
    .select(sql<number>`coalesce(max(array_length(path, 1)), 0)`.as('deepest'))
    .where(sql<boolean>`path @> array[${row.organization_id}]::text[]`)
    .executeTakeFirstOrThrow();
  return deepest - row.path.length + 1;
}

/** Sets the new parent, and the new path prefix of everything below. */
async function putBelow(
  database: Database,
  row: OrganizationRow,
  parentId: string | null,
  parentPath: readonly string[],
): Promise<void> {
  await database
    .updateTable('organization')
    .set((expression) => ({ parent_id: parentId, position: null, version: expression('version', '+', 1) }))
    .where('organization_id', '=', row.organization_id)
    .execute();
  const cut = row.path.length;
  await sql`update organization set path = ${[...parentPath]}::text[] || path[${cut}::int:]
    where path @> array[${row.organization_id}]::text[]`.execute(database);
}

async function countDevicesIn(database: Database, row: OrganizationRow): Promise<number> {
  const { total } = await database
    .selectFrom('device')
    .select((select) => select.fn.countAll<number>().as('total'))
    .where('organization_id', '=', row.organization_id)
    .executeTakeFirstOrThrow();
  return total;
}

async function moveDevices(database: Database, from: string, to: string | null): Promise<void> {
  await database.updateTable('device').set({ organization_id: to }).where('organization_id', '=', from).execute();
}

/** A share without items is deleted. */
async function dropEmptyShares(database: Database, ownerId: string): Promise<void> {
  await sql`delete from share where owner_id = ${ownerId}
    and not exists (select 1 from grant_row where grant_row.share_id = share.share_id)`.execute(database);
}

/** Accounts with access through the old or new place: their open media are rechecked. */
async function notifyAffected(
  database: Database,
  ownerId: string,
  paths: readonly (readonly string[])[],
  now: number,
): Promise<void> {
  const organizationPath = [...new Set(paths.flat())];
  const below = await granteesBelow(database, paths[0]?.at(-1) ?? '');
  const concerned = new Set([
    ownerId,
    ...below,
    ...(await granteesAround(database, { deviceId: null, organizationPath })),
  ]);
  await insertRevocations(
    database,
    now,
    [...concerned].map((accountId) => ({
      accountId,
      sessionId: null,
      deviceSerial: null,
      reason: 'organization' as const,
    })),
  );
}

/** Accounts that see something below the organisation: its path changes for them. */
async function granteesBelow(database: Database, organizationId: string): Promise<string[]> {
  const inside = sql<boolean>`organization.path @> array[${organizationId}]::text[]`;
  const organizations = database
    .selectFrom('grant_row')
    .innerJoin('organization', 'organization.organization_id', 'grant_row.organization_id')
    .select('grantee_id')
    .where(inside);
  const devices = database
    .selectFrom('grant_row')
    .innerJoin('device', 'device.device_id', 'grant_row.device_id')
    .innerJoin('organization', 'organization.organization_id', 'device.organization_id')
    .select('grantee_id')
    .where(inside);
  const rows = await organizations.union(devices).execute();
  return rows.map((row) => row.grantee_id);
}
