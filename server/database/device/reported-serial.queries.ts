// Reads which devices report a serial; only one of them has it as its device serial.
import { type SqlBool, sql } from 'kysely';
import type { Database } from '../connection.ts';
import type { DeviceRow } from '../schema/schema.ts';

export type ReportingDevice = Pick<
  DeviceRow,
  'device_id' | 'device_serial' | 'owner_id' | 'site_id' | 'address' | 'status' | 'status_reason'
> &
  Pick<DeviceRow, 'driver' | 'credentials' | 'native'>;

/** Those of the owner anywhere, and those of others at the same site, oldest first. */
export async function devicesReporting(
  database: Database,
  { serial, ownerId, siteId }: { readonly serial: string; readonly ownerId: string; readonly siteId: string },
): Promise<ReportingDevice[]> {
  return await database
    .selectFrom('device')
    .select([
      'device_id',
      'device_serial',
      'owner_id',
      'site_id',
      'address',
      'status',
      'status_reason',
      'driver',
      'credentials',
      'native',
    ])
    .where((where) =>
      where.or([
        where.and([where('device_serial', '=', serial), where('reported_serial', 'is', null)]),
        where('reported_serial', '=', serial),
      ]),
    )
    .where((where) => where.or([where('owner_id', '=', ownerId), where('site_id', '=', siteId)]))
    .orderBy('created_at')
    .orderBy('device_id')
    .execute();
}

export async function isDeviceSerialUsed(database: Database, serial: string): Promise<boolean> {
  const row = await database
    .selectFrom('device')
    .select('device_id')
    .where('device_serial', '=', serial)
    .executeTakeFirst();
  return row !== undefined;
}

/** Within a transaction: serializes adding devices with this reported serial. */
export async function lockReportedSerial(transaction: Database, serial: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`reported serial ${serial}`}, 0))`.execute(transaction);
}

/** Those of the list that devices of the owner have or report. */
export async function ownedSerials(
  database: Database,
  ownerId: string,
  serials: readonly string[],
): Promise<ReadonlySet<string>> {
  const named = [...new Set(serials)];
  const rows = await database
    .selectFrom('device')
    .select(['device_serial', 'reported_serial'])
    .where('owner_id', '=', ownerId)
    .where(sql<SqlBool>`(device_serial = any(${named}::text[]) or reported_serial = any(${named}::text[]))`)
    .execute();
  return new Set(
    rows.flatMap(({ device_serial: borne, reported_serial: said }) => (said === null ? [borne] : [borne, said])),
  );
}
