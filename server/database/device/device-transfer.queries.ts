// Reads and writes transfer offers: one per device, until accepted, refused or expired.
import type { Selectable } from 'kysely';
import type { Database } from '../connection.ts';
import type { DeviceTransferTable } from '../schema/share-schema.ts';

export type DeviceTransferRow = Selectable<DeviceTransferTable>;

/** Of the account, or to it. */
type Side = 'giver_id' | 'taker_id';

/**
 * Locks for the rest of the transaction, before any dependent row, so that concurrent ownership changes run one by one
 * and never deadlock. False if the account is no longer the owner.
 */
export async function lockDevice(transaction: Database, deviceId: string, ownerId: string): Promise<boolean> {
  const device = await transaction
    .selectFrom('device')
    .select('device_id')
    .where('device_id', '=', deviceId)
    .where('owner_id', '=', ownerId)
    .forUpdate()
    .executeTakeFirst();
  return device !== undefined;
}

export async function storeTransfer(database: Database, row: DeviceTransferRow): Promise<void> {
  await database.insertInto('device_transfer').values(row).execute();
}

/** Offers this account can accept now. Offers of disabled accounts don't count. */
export async function offeredTo(
  database: Database,
  { transferId, takerId, now }: { readonly transferId: string; readonly takerId: string; readonly now: number },
): Promise<{ device_id: string; device_serial: string; giver_id: string } | undefined> {
  return await database
    .selectFrom('device_transfer')
    .innerJoin('device', 'device.device_id', 'device_transfer.device_id')
    .innerJoin('account', 'account.account_id', 'device_transfer.giver_id')
    .select(['device.device_id', 'device.device_serial', 'device_transfer.giver_id'])
    .where('account.is_enabled', '=', true)
    .where('device_transfer.transfer_id', '=', transferId)
    .where('device_transfer.taker_id', '=', takerId)
    .where('device_transfer.end_time', '>', now)
    .executeTakeFirst();
}

/** Deletes the offer of a device; returns to whom it was made. */
export async function dropTransferOf(database: Database, deviceId: string): Promise<string | undefined> {
  const query = database.deleteFrom('device_transfer').where('device_id', '=', deviceId).returning('taker_id');
  return (await query.executeTakeFirst())?.taker_id;
}

/** By giver or receiver. */
export async function endTransfer(
  database: Database,
  { transferId, accountId, now }: { readonly transferId: string; readonly accountId: string; readonly now: number },
): Promise<{ giver_id: string; taker_id: string; device_serial: string } | undefined> {
  return await database
    .deleteFrom('device_transfer')
    .using('device')
    .whereRef('device.device_id', '=', 'device_transfer.device_id')
    .where('device_transfer.transfer_id', '=', transferId)
    .where('device_transfer.end_time', '>', now)
    .where((either) => either.or([either('giver_id', '=', accountId), either('taker_id', '=', accountId)]))
    .returning(['device_transfer.giver_id', 'device_transfer.taker_id', 'device.device_serial'])
    .executeTakeFirst();
}

/** Acceptable offers to the account. */
export async function countOffersTo(database: Database, takerId: string, now: number): Promise<number> {
  const { total } = await database
    .selectFrom('device_transfer')
    .select((select) => select.fn.countAll<number>().as('total'))
    .where('taker_id', '=', takerId)
    .where('end_time', '>', now)
    .executeTakeFirstOrThrow();
  return total;
}

/** Account that the device is offered to. */
export async function offeredToWhom(database: Database, deviceId: string): Promise<readonly string[]> {
  const query = database.selectFrom('device_transfer').select('taker_id').where('device_id', '=', deviceId);
  return (await query.execute()).map((row) => row.taker_id);
}

/** Those that can still be accepted, newest first. */
export async function openTransfersOf(
  database: Database,
  { side, accountId, now }: { readonly side: Side; readonly accountId: string; readonly now: number },
) {
  return await database
    .selectFrom('device_transfer')
    .innerJoin('device', 'device.device_id', 'device_transfer.device_id')
    .innerJoin('account as giver', 'giver.account_id', 'device_transfer.giver_id')
    .innerJoin('account as taker', 'taker.account_id', 'device_transfer.taker_id')
    .select((select) => [
      'device_transfer.transfer_id',
      'device_transfer.giver_id',
      'device_transfer.created_at',
      'device_transfer.end_time',
      'device.device_serial',
      'device.device_name',
      'device.device_type',
      'giver.user_name as giver_name',
      'taker.user_name as taker_name',
      select
        .selectFrom('channel')
        .select((count) => count.fn.countAll<number>().as('total'))
        .whereRef('channel.device_id', '=', 'device_transfer.device_id')
        .as('channel_total'),
    ])
    .where('device_transfer.end_time', '>', now)
    .where('giver.is_enabled', '=', true)
    .where(`device_transfer.${side}`, '=', accountId)
    .orderBy('device_transfer.created_at', 'desc')
    .orderBy('device_transfer.transfer_id')
    .execute();
}

export async function dropOldTransfers(database: Database, now: number): Promise<void> {
  await database.deleteFrom('device_transfer').where('end_time', '<=', now).execute();
}
