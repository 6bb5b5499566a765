// What other features may do about shares: notify receivers of shares by a role when the role changes.
import type { Database } from '../../database/connection.ts';
import { notifyReceivers } from './share-notifications.ts';

/** Within the change's own transaction; a share of type 1 has the rights its role has now. */
export async function notifySharesOfRole(database: Database, roleId: string, now: number): Promise<void> {
  const rows = await database
    .selectFrom('share')
    .select('grantee_id')
    .distinct()
    .where('role_id', '=', roleId)
    .execute();
  if (rows.length === 0) return;
  const grantees = rows.map((row) => row.grantee_id);
  await notifyReceivers(database, grantees, now);
}
