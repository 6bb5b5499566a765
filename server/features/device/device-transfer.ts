// Gives a device to another account: it leaves the giver's tree and shares, and stands in the root of the taker.
import { USER_TYPE } from '@vedette/contract/enumerations.ts';
import { canOwn } from '@vedette/rules/decide/decide.ts';
import type { AuthorisedDevice } from '../../auth/may.ts';
import { findNamedAccount, type NamedAccountParts } from '../../auth/named-account.ts';
import { CallError, stillThere } from '../../call-error.ts';
import type { Database } from '../../database/connection.ts';
import type { OrganizationRow } from '../../database/schema.ts';
import { insertRevocations } from '../../database/revocation.queries.ts';
import { takeWithin } from '../../quotas/take-within.ts';
import { type DeviceToRemove, revokeMoved } from './device-remover.ts';

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
    const { account_id: accountId, user_type: userType } = taker;
    await handOver(transaction, { device, taker: { accountId, userType }, organization: null, now });
  });
}

export interface HandOver {
  readonly device: DeviceToRemove;
  readonly taker: { readonly accountId: string; readonly userType: number };
  /** Of the taker; null: the root. */
  readonly organization: Pick<OrganizationRow, 'organization_id' | 'path'> | null;
  readonly now: number;
}

/** Within a transaction. Its shares end, and a code that was made for it is void. Throws 1009 where it is another's by now, 1011 where the taker has too many. */
export async function handOver(transaction: Database, { device, taker, organization, now }: HandOver): Promise<void> {
  const { deviceId } = device;
  const { total: channels } = await transaction
    .selectFrom('channel')
    .select((select) => select.fn.countAll<number>().as('total'))
    .where('device_id', '=', deviceId)
    .executeTakeFirstOrThrow();
  await takeWithin(transaction, { accountId: taker.accountId, now, take: { devices: 1, channels } });
  // Told while the shares that open it still stand.
  await revokeMoved(transaction, device, organization?.path ?? [], now);
  await transaction.deleteFrom('grant_row').where('device_id', '=', deviceId).execute();
  await transaction.deleteFrom('device_code').where('device_id', '=', deviceId).execute();
  let update = transaction
    .updateTable('device')
    .set((expression) => ({
      owner_id: taker.accountId,
      organization_id: organization?.organization_id ?? null,
      version: expression('version', '+', 1),
    }))
    .where('device_id', '=', deviceId)
    // Who gave it away meanwhile has nothing to give any more.
    .where('owner_id', '=', device.ownerId)
    .returning('device_id');
  // Loopback and link-local addresses are the operator's alone.
  if (taker.userType !== USER_TYPE.super) update = update.set({ is_operator_address: false });
  stillThere(await update.executeTakeFirst(), 'devNotExist');
  const told = { accountId: taker.accountId, sessionId: null, deviceSerial: null, reason: 'device' } as const;
  await insertRevocations(transaction, now, [told]);
}
