// Reads and writes firmware packages and firmware upgrades of devices.
import type { Selectable } from 'kysely';
import type { Database } from '../connection.ts';
import type { DeviceUpgradeTable, FirmwarePackageTable } from '../schema/schema.ts';

export type PackageRow = Selectable<FirmwarePackageTable>;
export type UpgradeRow = Selectable<DeviceUpgradeTable>;

const ENDED = ['finished', 'failed'];

/** Newest first. */
export function packagesOf(database: Database, ownerId: string): Promise<PackageRow[]> {
  return database
    .selectFrom('firmware_package')
    .selectAll()
    .where('owner_id', '=', ownerId)
    .orderBy('created_at', 'desc')
    .orderBy('package_id')
    .execute();
}

export async function insertPackage(database: Database, row: PackageRow): Promise<void> {
  await database.insertInto('firmware_package').values(row).execute();
}

/** Only of this owner. */
export async function dropPackage(database: Database, ownerId: string, packageId: string): Promise<void> {
  await database
    .deleteFrom('firmware_package')
    .where('owner_id', '=', ownerId)
    .where('package_id', '=', packageId)
    .execute();
}

export async function isPackageInUse(database: Database, packageId: string): Promise<boolean> {
  const row = await database
    .selectFrom('device_upgrade')
    .select('device_id')
    .where('package_id', '=', packageId)
    .where('state', 'not in', ENDED)
    .executeTakeFirst();
  return row !== undefined;
}

/** False while another upgrade of the device runs. */
export async function beginUpgrade(
  database: Database,
  row: Omit<UpgradeRow, 'state' | 'percent' | 'reason' | 'ended_at'>,
): Promise<boolean> {
  const begun = { ...row, state: 'taking', percent: 0, reason: null, ended_at: null };
  const done = await database
    .insertInto('device_upgrade')
    .values(begun)
    .onConflict((conflict) =>
      conflict.column('device_id').doUpdateSet(begun).where('device_upgrade.state', 'in', ENDED),
    )
    .returning('device_id')
    .executeTakeFirst();
  return done !== undefined;
}

export async function storeUpgrade(
  database: Database,
  deviceId: string,
  part: Partial<Pick<UpgradeRow, 'state' | 'percent' | 'reason' | 'ended_at'>>,
): Promise<void> {
  await database.updateTable('device_upgrade').set(part).where('device_id', '=', deviceId).execute();
}

export async function upgradesOf(database: Database, deviceIds: readonly string[]): Promise<Map<string, UpgradeRow>> {
  if (deviceIds.length === 0) return new Map();
  const rows = await database
    .selectFrom('device_upgrade')
    .selectAll()
    .where('device_id', 'in', [...deviceIds])
    .execute();
  return new Map(rows.map((row) => [row.device_id, row]));
}

/** With the serial that the site uses. */
export function runningUpgrades(database: Database): Promise<(UpgradeRow & { device_serial: string })[]> {
  return database
    .selectFrom('device_upgrade')
    .innerJoin('device', 'device.device_id', 'device_upgrade.device_id')
    .selectAll('device_upgrade')
    .select('device.device_serial')
    .where('device_upgrade.state', 'not in', ENDED)
    .execute();
}

export async function storeDeviceVersion(database: Database, deviceId: string, version: string): Promise<void> {
  await database.updateTable('device').set({ device_version: version }).where('device_id', '=', deviceId).execute();
}
