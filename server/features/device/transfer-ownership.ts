// Transfers ownership of a device: removes it from its owner's organisations and shares, adds it to the new owner's.
import { USER_TYPE } from '@vedette/contract/enumerations.ts';
import { requireFound } from '../../core/call-error.ts';
import type { Database } from '../../database/connection.ts';
import { dropTransferOf, lockDevice } from '../../database/device/device-transfer.queries.ts';
import { forgetStatisticsOf } from '../../database/statistic/hour-store.queries.ts';
import type { OrganizationRow } from '../../database/schema/schema.ts';
import { insertRevocations } from '../../database/access/revocation.queries.ts';
import { reserveQuota } from '../../quota/reserve-quota.ts';
import { type DeviceToRemove, revokeMoved } from './device-remover.ts';

export interface OwnershipTransfer {
  readonly device: DeviceToRemove;
  readonly taker: { readonly accountId: string; readonly userType: number };
  /** Organisation of the new owner; null: the root. */
  readonly organization: Pick<OrganizationRow, 'organization_id' | 'path'> | null;
  readonly now: number;
}

/** Within a transaction. Ends its shares, code and offer. Throws 1009 if the owner changed meanwhile, 1011 over the quota. */
export async function transferOwnership(
  transaction: Database,
  { device, taker, organization, now }: OwnershipTransfer,
): Promise<void> {
  const { deviceId } = device;
  const { total: channels } = await transaction
    .selectFrom('channel')
    .select((select) => select.fn.countAll<number>().as('total'))
    .where('device_id', '=', deviceId)
    .executeTakeFirstOrThrow();
  await reserveQuota(transaction, { accountId: taker.accountId, now, take: { devices: 1, channels } });
  // Locked before dependent rows; an owner that gave it away meanwhile has nothing to give.
  requireFound(await lockDevice(transaction, deviceId, device.ownerId), 'devNotExist');
  // Notified while shares and offer still exist.
  await revokeMoved(transaction, device, organization?.path ?? [], now);
  await transaction.deleteFrom('grant_row').where('device_id', '=', deviceId).execute();
  await transaction.deleteFrom('device_code').where('device_id', '=', deviceId).execute();
  await dropTransferOf(transaction, deviceId);
  await forgetStatisticsOf(transaction, deviceId);
  let update = transaction
    .updateTable('device')
    .set((expression) => ({
      owner_id: taker.accountId,
      organization_id: organization?.organization_id ?? null,
      version: expression('version', '+', 1),
    }))
    .where('device_id', '=', deviceId);
  // Only operators may use loopback and link-local addresses.
  if (taker.userType !== USER_TYPE.super) update = update.set({ is_operator_address: false });
  await update.execute();
  const revocation = { accountId: taker.accountId, sessionId: null, deviceSerial: null, reason: 'device' } as const;
  await insertRevocations(transaction, now, [revocation]);
}
