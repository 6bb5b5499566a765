// Deletes an account with everything it owns: sessions, sub-accounts, devices, recordings, alarms, shares, queued messages (SE-103).
import { USER_TYPE } from '@vedette/contract/enumerations.ts';
import { sql } from 'kysely';
import { CallError, requireFound } from '../../core/call-error.ts';
import { countOtherOperators, deleteAccount, findAccount } from '../../database/account/account.queries.ts';
import { eraseAlarms } from '../../database/alarm/alarm-erase.queries.ts';
import { eraseSightings } from '../../database/sighting/sighting-store.queries.ts';
import { requestRecordingRemoval } from '../../database/device/channel.queries.ts';
import type { Database } from '../../database/connection.ts';
import { deviceIdsOf } from '../../database/device/device.queries.ts';
import { dependentsOf } from '../../database/access/grant.queries.ts';
import { insertRevocations } from '../../database/access/revocation.queries.ts';
import { endSessions } from '../../database/account/session.queries.ts';

/** Lock for changes of operators, so that the last one stays; user/* uses the same. */
const OPERATOR_LOCK = 7_183_226;

/** Throws 1004 for the last operator. The audit log keeps its lines: it is append-only. */
export async function eraseAccount(database: Database, accountId: string, now: number): Promise<void> {
  await database.transaction().execute(async (transaction) => {
    await sql`select pg_advisory_xact_lock(${OPERATOR_LOCK})`.execute(transaction);
    const account = requireFound(await findAccount(transaction, accountId), 'tokenInvalid');
    const isOperator = account.user_type === USER_TYPE.super;
    if (isOperator && (await countOtherOperators(transaction, accountId)) === 0)
      throw new CallError('permissionDenied');
    const concerned = [...new Set([accountId, ...(await dependentsOf(transaction, accountId))])];
    await endSessions(transaction, { accountId }, 1001, now);
    await insertRevocations(
      transaction,
      now,
      concerned.map((id) => ({ accountId: id, sessionId: null, deviceSerial: null, reason: 'account' as const })),
    );
    const deviceIds = await deviceIdsOf(transaction, accountId);
    await requestRecordingRemoval(transaction, deviceIds, now);
    await eraseAlarms(transaction, accountId, deviceIds);
    await eraseSightings(transaction, accountId);
    const contacts = [account.email, account.phone].filter((contact) => contact !== null);
    if (contacts.length > 0) await transaction.deleteFrom('verify_code').where('target', 'in', contacts).execute();
    await deleteAccount(transaction, accountId);
  });
}
