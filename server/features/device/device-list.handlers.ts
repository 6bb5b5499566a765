// Handlers that list devices: by page, one, and up to 100 by serial.
import type { Device } from '@vedette/contract/entities.ts';
import { DEVICE_TYPE } from '@vedette/contract/enumerations.ts';
import { pageRange } from '@vedette/rules/paging.ts';
import { sql } from 'kysely';
import type { Rights } from '../../auth/rights.ts';
import { visibleDevices } from '../../auth/visibility-conditions.ts';
import { CallError } from '../../core/call-error.ts';
import type { Database } from '../../database/connection.ts';
import {
  devicesWhere,
  filterDevices,
  listedDevices,
  selectWithOrganization,
} from '../../database/device/device.queries.ts';
import type { Handlers } from '../../http/handler.ts';
import { groupOf } from '../group/group.facts.ts';
import { toDevice } from './device.facts.ts';

type DeviceListPath = 'device/list' | 'device/get' | 'device/batch';

const SORT_COLUMN = {
  deviceName: 'device.device_name',
  deviceSerial: 'device.device_serial',
  status: 'device.status',
  latestOnline: 'device.latest_online',
  deviceModel: 'device.device_model',
  statusSince: 'device.status_at',
} as const;

export function deviceListHandlers(parts: { database: Database }): Handlers<DeviceListPath> {
  const { database } = parts;
  return {
    'device/list': async ({ input, principal, rights, isWeb }) => {
      const held = await rights();
      const group = input.groupId === undefined ? undefined : groupOf(principal, input.groupId);
      const query = filterDevices(listedDevices(database, visibleDevices(held, null), isWeb), {
        ...input,
        group,
        withAllBelow: true,
      });
      const totals = await query
        .select([
          sql<number>`count(*)`.as('total'),
          sql<number>`count(*) filter (where device.status = 1)`.as('online_total'),
        ])
        .executeTakeFirstOrThrow();
      const { offset, limit } = pageRange(input);
      const rows = await selectWithOrganization(query)
        .orderBy(SORT_COLUMN[input.sortBy], input.sortOrder)
        .orderBy('device.device_id')
        .offset(offset)
        .limit(limit)
        .execute();
      const deviceList = rows.map((row) => toDevice(row, held));
      return { total: totals.total, onlineTotal: totals.online_total, deviceList };
    },
    'device/get': async ({ input, rights }) => ({
      device: await oneDevice(database, await rights(), input.deviceSerial),
    }),
    'device/batch': async ({ input, rights }) => {
      const held = await rights();
      let query = devicesWhere(database, visibleDevices(held, null)).where(
        'device.device_serial',
        'in',
        input.deviceSerialList,
      );
      if (input.recorderOnly) query = query.where('device.device_type', '=', DEVICE_TYPE.NVR);
      const rows = await selectWithOrganization(query).orderBy('device.device_serial').execute();
      return { deviceList: rows.map((row) => toDevice(row, held)) };
    },
  };
}

/** Throws 1009 where the caller can't see it. */
export async function oneDevice(database: Database, rights: Rights, deviceSerial: string): Promise<Device> {
  const query = devicesWhere(database, visibleDevices(rights, null)).where('device.device_serial', '=', deviceSerial);
  const row = await selectWithOrganization(query).executeTakeFirst();
  if (row === undefined) throw new CallError('devNotExist');
  return toDevice(row, rights);
}
