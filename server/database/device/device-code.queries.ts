// Reads and writes registration codes for device transfer: one per device, hashed, with a count of wrong attempts.
import type { Database } from '../connection.ts';

export async function storeDeviceCode(
  database: Database,
  deviceId: string,
  code: { hash: string; until: number },
): Promise<void> {
  const fresh = { code_hash: code.hash, code_until: code.until, code_tries: 0 };
  await database
    .insertInto('device_code')
    .values({ device_id: deviceId, ...fresh })
    .onConflict((conflict) => conflict.column('device_id').doUpdateSet(fresh))
    .execute();
}

/** Device of the code: among several that report the typed serial, the code selects one. */
export async function serialOfDeviceCode(
  database: Database,
  typedSerial: string,
  given: { codeHash: string; now: number },
): Promise<string | undefined> {
  const row = await database
    .selectFrom('device_code')
    .innerJoin('device', 'device.device_id', 'device_code.device_id')
    .select('device.device_serial')
    .where((where) => where.or([where('device_serial', '=', typedSerial), where('reported_serial', '=', typedSerial)]))
    .where('code_hash', '=', given.codeHash)
    .where('code_until', '>', given.now)
    .executeTakeFirst();
  return row?.device_serial;
}

/** True once for concurrent callers. A wrong code counts, and the last allowed attempt voids it. */
export async function redeemDeviceCode(
  database: Database,
  deviceId: string,
  given: { codeHash: string; now: number; tries: number },
): Promise<boolean> {
  const taken = await database
    .deleteFrom('device_code')
    .where('device_id', '=', deviceId)
    .where('code_hash', '=', given.codeHash)
    .where('code_until', '>', given.now)
    .where('code_tries', '<', given.tries)
    .returning('device_id')
    .executeTakeFirst();
  if (taken !== undefined) return true;
  await database
    .updateTable('device_code')
    .set((expression) => ({ code_tries: expression('code_tries', '+', 1) }))
    .where('device_id', '=', deviceId)
    .where('code_tries', '<', given.tries)
    .execute();
  return false;
}
