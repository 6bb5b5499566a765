// Notifies accounts that see something by a share of its change, including re-shares.
import type { Database } from '../../database/connection.ts';
import { withReceivers } from '../../database/access/grant.queries.ts';
import { insertRevocations } from '../../database/access/revocation.queries.ts';

/** Within the change's own transaction. `alsoTold` see nothing by it, but their lists name it. */
export async function notifyReceivers(
  database: Database,
  accountIds: readonly string[],
  now: number,
  alsoNotified: readonly string[] = [],
): Promise<void> {
  const concerned = new Set([...(await withReceivers(database, accountIds)), ...alsoNotified]);
  await insertRevocations(
    database,
    now,
    [...concerned].map((accountId) => ({ accountId, sessionId: null, deviceSerial: null, reason: 'share' as const })),
  );
}
