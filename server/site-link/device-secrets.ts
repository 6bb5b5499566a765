// Encrypted part of a device row: address, credentials, and the driver's address record.
import type { SecretBox } from '../core/secret-box.ts';
import type { Database } from '../database/connection.ts';
import type { DeviceRow } from '../database/schema/schema.ts';

export interface DeviceSecrets {
  /** As the user gave it, without user and password. */
  readonly target: string;
  readonly user: string;
  readonly password: string;
  /** The driver's address record, as its probe returned it. */
  readonly native: Readonly<Record<string, unknown>>;
}

type SealedRow = Pick<DeviceRow, 'device_id' | 'credentials' | 'native'>;

export function sealSecrets(box: SecretBox, deviceId: string, secrets: DeviceSecrets): Buffer {
  const { target, user, password, native } = secrets;
  return box.seal(JSON.stringify({ target, user, password, native }), deviceId);
}

export function openSecrets(box: SecretBox, device: SealedRow): DeviceSecrets {
  const opened = JSON.parse(box.open(device.credentials, device.device_id)) as Omit<DeviceSecrets, 'native'> &
    Partial<Pick<DeviceSecrets, 'native'>>;
  // An earlier version kept the record beside, in the open.
  return { ...opened, native: opened.native ?? device.native ?? {} };
}

/** Seals what an earlier version left in the open; answers how many rows. Safe to run again and beside another server. */
export async function sealOpenAddresses(database: Database, box: SecretBox): Promise<number> {
  return await database.transaction().execute(async (transaction) => {
    const rows = await transaction
      .selectFrom('device')
      .select(['device_id', 'credentials', 'native'])
      .where('native', 'is not', null)
      .forUpdate()
      .execute();
    for (const row of rows) {
      await transaction
        .updateTable('device')
        .set({ credentials: sealSecrets(box, row.device_id, openSecrets(box, row)), native: null })
        .where('device_id', '=', row.device_id)
        .execute();
    }
    return rows.length;
  });
}
