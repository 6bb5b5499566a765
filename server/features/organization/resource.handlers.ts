// Handlers of org/resource/*: organisations and devices as one list, organisations first, for the tree.
import type { organizationCalls } from '@vedette/contract/calls/organization.ts';
import type { Resource } from '@vedette/contract/entities.ts';
import { pageRange } from '@vedette/rules/paging.ts';
import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { authorizeOrganization } from '../../auth/authorize.ts';
import type { Rights } from '../../auth/rights.ts';
import { visibleChannels, visibleDevices, visibleOrganizations } from '../../auth/visibility-conditions.ts';
import { channelsOfDevices } from '../../database/device/channel.queries.ts';
import type { Database } from '../../database/connection.ts';
import {
  type DeviceQuery,
  filterDevices,
  listedDevices,
  selectWithOrganization,
} from '../../database/device/device.queries.ts';
import { namesOfAccounts } from '../../database/access/organization.queries.ts';
import { likePattern } from '../../database/search-text.ts';
import type { Handlers } from '../../http/handler.ts';
import { objectOfDevice, toChannel, toDevice } from '../device/device.facts.ts';
import { toOrganization } from './organization.facts.ts';

type ResourcePath = Extract<keyof typeof organizationCalls, 'org/resource/list' | 'org/resource/sub'>;
interface Page {
  readonly pageStart: number;
  readonly pageSize: number;
}

const WITH_ALL_BELOW = 0;

export function resourceHandlers(parts: { database: Database }): Handlers<ResourcePath> {
  const { database } = parts;
  return {
    'org/resource/list': async ({ input, rights, isWeb }) => {
      const held = await rights();
      const devices = listedDevices(database, visibleDevices(held, null), isWeb);
      return await resourcePage(database, held, { organizations: visibleOrganizations(held, null), devices }, input);
    },
    'org/resource/sub': async ({ input, rights, isWeb }) => {
      const held = await rights();
      const { organizationId } = input;
      if (organizationId !== '0') await authorizeOrganization(database, held, null, organizationId);
      const withAllBelow = input.queryMode === WITH_ALL_BELOW;
      const visible = listedDevices(database, visibleDevices(held, null), isWeb);
      const devices = filterDevices(visible, { organizationId, withAllBelow, keyWord: input.deviceName });
      const below = withAllBelow ? belowCondition(organizationId) : childCondition(organizationId);
      const named = nameCondition(input.deviceName);
      const organizations = sql<SqlBool>`(${visibleOrganizations(held, null)} and ${below} and ${named})`;
      return await resourcePage(database, held, { organizations, devices }, input);
    },
  };
}

function belowCondition(organizationId: string): RawBuilder<SqlBool> {
  if (organizationId === '0') return sql<SqlBool>`true`;
  return sql<SqlBool>`(organization.path @> array[${organizationId}]::text[] and organization.organization_id <> ${organizationId})`;
}

function childCondition(organizationId: string): RawBuilder<SqlBool> {
  if (organizationId === '0') return sql<SqlBool>`organization.parent_id is null`;
  return sql<SqlBool>`organization.parent_id = ${organizationId}`;
}

/** In a device search only matching organisations are listed. */
function nameCondition(name: string): RawBuilder<SqlBool> {
  if (name === '') return sql<SqlBool>`true`;
  return sql<SqlBool>`(organization.name_bigrams @> bigrams(${name}) and lower(organization.organization_name) like ${likePattern(name)})`;
}

interface Listed {
  readonly organizations: RawBuilder<SqlBool>;
  readonly devices: DeviceQuery;
}

/** One list over two tables: organisations first, then devices. */
export async function resourcePage(
  database: Database,
  rights: Rights,
  { organizations, devices }: Listed,
  page: Page,
): Promise<{ total: number; resourceList: Resource[] }> {
  const query = database.selectFrom('organization').where(organizations);
  const [orgCount, deviceCount] = await Promise.all([
    query.select(sql<number>`count(*)`.as('total')).executeTakeFirstOrThrow(),
    devices.select(sql<number>`count(*)`.as('total')).executeTakeFirstOrThrow(),
  ]);
  const { offset, limit } = pageRange(page);
  const orgRows = await query
    .selectAll('organization')
    .orderBy(sql`array_length(path, 1)`)
    .orderBy('organization_name')
    .orderBy('organization_id')
    .offset(offset)
    .limit(limit)
    .execute();
  const names = await namesOfAccounts(
    database,
    orgRows.map((row) => row.owner_id),
  );
  const organizationList: Resource[] = orgRows.map((row) => ({
    resourceType: 'organization',
    organization: toOrganization(row, rights, names.get(row.owner_id) ?? ''),
  }));
  const left = limit - orgRows.length;
  const range = { offset: Math.max(0, offset - orgCount.total), limit: left };
  const deviceList = left === 0 ? [] : await deviceResources(database, rights, devices, range);
  return { total: orgCount.total + deviceCount.total, resourceList: [...organizationList, ...deviceList] };
}

async function deviceResources(
  database: Database,
  rights: Rights,
  devices: DeviceQuery,
  { offset, limit }: { readonly offset: number; readonly limit: number },
): Promise<Resource[]> {
  const rows = await selectWithOrganization(devices)
    .orderBy('device.device_name')
    .orderBy('device.device_id')
    .offset(offset)
    .limit(limit)
    .execute();
  const ids = rows.map((row) => row.device_id);
  const channels = await channelsOfDevices(database, visibleChannels(rights, null), ids);
  return rows.map((row) => {
    const object = objectOfDevice(row);
    const list = channels.get(row.device_id) ?? [];
    return {
      resourceType: 'device',
      device: toDevice(row, rights),
      channelList: list.map((channel) => toChannel(channel, row.device_serial, object, rights)),
    };
  });
}
