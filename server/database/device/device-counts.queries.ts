// How many devices each site has, by their connection.
import { DEVICE_STATUS } from '@vedette/contract/enumerations.ts';
import type { Database } from '../connection.ts';

export interface DeviceCount {
  readonly siteId: string;
  readonly status: keyof typeof DEVICE_STATUS;
  readonly total: number;
}

/** Each status of each site that has devices, so that a count that falls to zero is told as zero. */
export async function countDevices(database: Database): Promise<DeviceCount[]> {
  const rows = await database
    .selectFrom('device')
    .select(['site_id', 'status', ({ fn }) => fn.countAll<number>().as('total')])
    .groupBy(['site_id', 'status'])
    .execute();
  const sites = [...new Set(rows.map((row) => row.site_id))].toSorted();
  const names = Object.entries(DEVICE_STATUS) as [DeviceCount['status'], number][];
  return sites.flatMap((siteId) =>
    names.map(([status, code]) => {
      const row = rows.find((one) => one.site_id === siteId && one.status === code);
      return { siteId, status, total: Number(row?.total ?? 0) };
    }),
  );
}
