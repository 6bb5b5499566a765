// Deletes devices with rows, rights and recordings; viewers are notified within two seconds.
import { requireFound } from '../../core/call-error.ts';
import { requestRecordingRemoval } from '../../database/device/channel.queries.ts';
import type { Database } from '../../database/connection.ts';
import { offeredToWhom } from '../../database/device/device-transfer.queries.ts';
import { granteesAround } from '../../database/access/grant.queries.ts';
import { insertRevocations } from '../../database/access/revocation.queries.ts';

export interface DeviceToRemove {
  readonly deviceId: string;
  readonly deviceSerial: string;
  readonly ownerId: string;
  readonly organizationPath: readonly string[];
}

/** Throws 1009 if another call was faster. */
export async function removeDevice(database: Database, device: DeviceToRemove, now: number): Promise<void> {
  await database.transaction().execute(async (transaction) => {
    const concerned = await accountsConcerned(transaction, device);
    await requestRecordingRemoval(transaction, [device.deviceId], now);
    const deleted = await transaction
      .deleteFrom('device')
      .where('device_id', '=', device.deviceId)
      .returning('device_id')
      .executeTakeFirst();
    requireFound(deleted, 'devNotExist');
    await insertRevocations(transaction, now, rowsFor(concerned, device.deviceSerial));
  });
}

/** After a move between organisations: notifies those who saw it before or see it now. */
export async function revokeMoved(
  database: Database,
  device: DeviceToRemove,
  newPath: readonly string[],
  now: number,
): Promise<void> {
  const around = [...new Set([...device.organizationPath, ...newPath])];
  const concerned = await accountsConcerned(database, { ...device, organizationPath: around });
  await insertRevocations(database, now, rowsFor(concerned, device.deviceSerial));
}

async function accountsConcerned(database: Database, device: DeviceToRemove): Promise<string[]> {
  const offeredTo = await offeredToWhom(database, device.deviceId);
  return [...new Set([device.ownerId, ...offeredTo, ...(await granteesAround(database, device))])];
}

function rowsFor(accountIds: readonly string[], deviceSerial: string) {
  return accountIds.map((accountId) => ({ accountId, sessionId: null, deviceSerial, reason: 'device' as const }));
}
