// Reads, writes and withdraws what accounts allow apps.
import { sql } from 'kysely';
import { insertRevocations } from '../access/revocation.queries.ts';
import type { Database } from '../connection.ts';
import type { AppGrantItemRow, AppGrantRow, AppRow } from '../schema/app-schema.ts';
import { allowsAllApps } from './app.queries.ts';
import type { AccountRow } from '../schema/schema.ts';

/** Last use is stored at most this often. */
const TOUCH_EVERY_MS = 60_000;

export type GrantedItem = Omit<AppGrantItemRow, 'grant_id'>;

export async function insertAppGrant(
  database: Database,
  grant: AppGrantRow,
  items: readonly GrantedItem[],
): Promise<void> {
  await database.insertInto('app_grant').values(grant).execute();
  const rows = items.map((item) => ({ ...item, grant_id: grant.grant_id }));
  if (rows.length > 0) await database.insertInto('app_grant_item').values(rows).execute();
}

export async function itemsOfGrant(database: Database, grantId: string): Promise<GrantedItem[]> {
  return await database
    .selectFrom('app_grant_item')
    .select(['owner_id', 'organization_id', 'device_id'])
    .where('grant_id', '=', grantId)
    .execute();
}

/** Everything that the account has, as items: its topmost organisations, and its devices outside of any. */
export async function itemsOfOwner(database: Database, ownerId: string): Promise<GrantedItem[]> {
  const organizations = await database
    .selectFrom('organization')
    .select(['owner_id', 'organization_id', sql<null>`null`.as('device_id')])
    .where('owner_id', '=', ownerId)
    .where('parent_id', 'is', null)
    .execute();
  const devices = await database
    .selectFrom('device')
    .select(['owner_id', sql<null>`null`.as('organization_id'), 'device_id'])
    .where('owner_id', '=', ownerId)
    .where('organization_id', 'is', null)
    .execute();
  return [...organizations, ...devices];
}

/** The columns behind an app's right to act for an account. */
const ACTING = [
  'app.app_id',
  'app.app_name',
  'app.owner_id as app_owner_id',
  'app.is_enabled as app_enabled',
  'app.is_approved',
  'account.account_id',
  'account.user_name',
  'account.user_type',
  'account.owner_id as account_owner_id',
  'account.is_enabled',
  'account.video_closed_until',
] as const;

export type ActingApp = Pick<AppRow, 'app_id' | 'app_name' | 'is_approved'> &
  Pick<AccountRow, 'account_id' | 'user_name' | 'user_type' | 'is_enabled' | 'video_closed_until'> & {
    readonly app_owner_id: string;
    readonly app_enabled: boolean;
    readonly account_owner_id: string | null;
    readonly allows_all: boolean;
  };

export type ActingGrant = ActingApp & Pick<AppGrantRow, 'grant_id' | 'scopes' | 'end_time' | 'last_used_at'>;

export async function findActingGrant(database: Database, grantId: string): Promise<ActingGrant | undefined> {
  return await database
    .selectFrom('app_grant')
    .innerJoin('app', 'app.app_id', 'app_grant.app_id')
    .innerJoin('account', 'account.account_id', 'app_grant.account_id')
    .select(ACTING)
    .select(allowsAllApps.as('allows_all'))
    .select(['app_grant.grant_id', 'app_grant.scopes', 'app_grant.end_time', 'app_grant.last_used_at'])
    .where('app_grant.grant_id', '=', grantId)
    .executeTakeFirst();
}

/** An app that acts for its own owner. */
export async function findOwnerApp(
  database: Database,
  appId: string,
): Promise<(ActingApp & Pick<AppRow, 'scopes'>) | undefined> {
  return await database
    .selectFrom('app')
    .innerJoin('account', 'account.account_id', 'app.owner_id')
    .select(ACTING)
    .select(allowsAllApps.as('allows_all'))
    .select('app.scopes')
    .where('app.app_id', '=', appId)
    .executeTakeFirst();
}

export async function touchAppGrant(
  database: Database,
  grant: Pick<AppGrantRow, 'grant_id' | 'last_used_at'>,
  now: number,
): Promise<void> {
  if (grant.last_used_at !== null && now - grant.last_used_at < TOUCH_EVERY_MS) return;
  await database.updateTable('app_grant').set({ last_used_at: now }).where('grant_id', '=', grant.grant_id).execute();
}

export async function listAppGrants(database: Database, accountId: string, now: number) {
  return await database
    .selectFrom('app_grant')
    .innerJoin('app', 'app.app_id', 'app_grant.app_id')
    .selectAll('app_grant')
    .select(['app.app_name', 'app.logo'])
    .where('app_grant.account_id', '=', accountId)
    .where((where) => where.or([where('app_grant.end_time', 'is', null), where('app_grant.end_time', '>', now)]))
    .orderBy('app_grant.created_at', 'desc')
    .orderBy('app_grant.grant_id')
    .execute();
}

/** Names of the chosen objects, as they are now. */
export async function listGrantItems(database: Database, grantIds: readonly string[]) {
  if (grantIds.length === 0) return [];
  return await database
    .selectFrom('app_grant_item')
    .leftJoin('device', 'device.device_id', 'app_grant_item.device_id')
    .leftJoin('organization', 'organization.organization_id', 'app_grant_item.organization_id')
    .select([
      'app_grant_item.grant_id',
      'app_grant_item.organization_id',
      'organization.organization_name',
      'device.device_serial',
      'device.device_name',
    ])
    .where('app_grant_item.grant_id', 'in', [...grantIds])
    .execute();
}

/** Of one grant, of an account's, or of an app's: their tokens go with them. Within a transaction; answers how many. */
export async function withdrawAppGrants(
  database: Database,
  which: { readonly grantId?: string; readonly accountId?: string; readonly appId?: string },
  now: number,
): Promise<number> {
  let query = database.deleteFrom('app_grant').returning(['grant_id', 'account_id']);
  if (which.grantId !== undefined) query = query.where('grant_id', '=', which.grantId);
  if (which.accountId !== undefined) query = query.where('account_id', '=', which.accountId);
  if (which.appId !== undefined) query = query.where('app_id', '=', which.appId);
  const rows = await query.execute();
  if (rows.length === 0) return 0;
  const grantIds = rows.map((row) => row.grant_id);
  await database.deleteFrom('oidc_record').where('grant_id', 'in', grantIds).execute();
  await insertAppRevocations(
    database,
    now,
    rows.map((row) => ({ accountId: row.account_id, sessionId: row.grant_id })),
  );
  return rows.length;
}

/** Open streams of everybody who let the app act are looked at again. Within a transaction. */
export async function revokeAppSessions(
  database: Database,
  { app_id: appId, owner_id: ownerId }: Pick<AppRow, 'app_id' | 'owner_id'>,
  now: number,
): Promise<void> {
  const rows = await database
    .selectFrom('app_grant')
    .select(['grant_id', 'account_id'])
    .where('app_id', '=', appId)
    .execute();
  const sessions = rows.map((row) => ({ accountId: row.account_id, sessionId: row.grant_id }));
  await insertAppRevocations(database, now, [...sessions, { accountId: ownerId, sessionId: ownerSession(appId) }]);
}

/** What stands in place of a session where an app acts for its owner without a grant. */
export function ownerSession(appId: string): string {
  return `app ${appId}`;
}

async function insertAppRevocations(
  database: Database,
  now: number,
  sessions: readonly { readonly accountId: string; readonly sessionId: string }[],
): Promise<void> {
  const revocations = sessions.map((one) => ({ ...one, deviceSerial: null, reason: 'session' as const }));
  await insertRevocations(database, now, revocations);
}

/** Grants whose time has passed. */
export async function dropEndedAppGrants(database: Database, before: number): Promise<void> {
  await database.deleteFrom('app_grant').where('end_time', '<', before).execute();
}
