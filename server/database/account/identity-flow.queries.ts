// Reads and writes sign-ins by identity providers that are under way.
import type { Database } from '../connection.ts';
import type { IdentityFlowRow, IdentityPurpose } from '../schema/identity-schema.ts';

export async function insertFlow(database: Database, flow: IdentityFlowRow): Promise<void> {
  await database.insertInto('identity_flow').values(flow).execute();
}

/** Uses it up, whatever its answer is worth; undefined: unknown, used, over, of another browser, another provider or another kind. */
export async function takeFlow(
  database: Database,
  which: Pick<IdentityFlowRow, 'state_hash' | 'cookie_hash' | 'provider_id'> & {
    readonly purposes: readonly IdentityPurpose[];
    readonly now: number;
  },
): Promise<IdentityFlowRow | undefined> {
  return await database
    .deleteFrom('identity_flow')
    .where('state_hash', '=', which.state_hash)
    .where('cookie_hash', '=', which.cookie_hash)
    .where('provider_id', '=', which.provider_id)
    .where('purpose', 'in', [...which.purposes])
    .where('expires_at', '>', which.now)
    .returningAll()
    .executeTakeFirst();
}

export async function dropOldFlows(database: Database, now: number): Promise<void> {
  await database.deleteFrom('identity_flow').where('expires_at', '<=', now).execute();
}
