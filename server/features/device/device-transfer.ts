// Gives a device to another account: it leaves the giver's tree and shares, and stands in the root of the taker.
import { USER_TYPE } from '@vedette/contract/enumerations.ts';
import { canOwn } from '@vedette/rules/decide/decide.ts';
import type { AuthorisedDevice } from '../../auth/may.ts';
import { findNamedAccount, type NamedAccountParts } from '../../auth/named-account.ts';
import { CallError } from '../../call-error.ts';
import { insertRevocations } from '../../database/revocation.queries.ts';
import { revokeMoved } from './device-remover.ts';

/** Throws 1004 for a device that is only shared, 1005 after many unknown accounts, 1007 for an account that is none or cannot own, 1437 for the owner's own. */
export async function transferDevice(
  parts: NamedAccountParts,
  device: AuthorisedDevice,
  giverId: string,
  account: string,
  now: number,
): Promise<void> {
  if (device.ownerId !== giverId) throw new CallError('permissionDenied');
  const taker = await findNamedAccount(parts, giverId, account);
  if (taker === undefined) throw new CallError('notFound');
  if (taker.account_id === giverId) throw new CallError('untransferSelf');
  if (!canOwn({ userId: taker.account_id, userType: taker.user_type })) throw new CallError('notFound');
  await parts.database.transaction().execute(async (transaction) => {
    // Told while the shares that open it still stand.
    await revokeMoved(transaction, device, [], now);
    await transaction.deleteFrom('grant_row').where('device_id', '=', device.deviceId).execute();
    let update = transaction
      .updateTable('device')
      .set((expression) => ({
        owner_id: taker.account_id,
        organization_id: null,
        version: expression('version', '+', 1),
      }))
      .where('device_id', '=', device.deviceId);
    // Loopback and link-local addresses are the operator's alone.
    if (taker.user_type !== USER_TYPE.super) update = update.set({ is_operator_address: false });
    await update.execute();
    const told = { accountId: taker.account_id, sessionId: null, deviceSerial: null, reason: 'device' } as const;
    await insertRevocations(transaction, now, [told]);
  });
}
