// Handler of org/search: organisations, devices and channels by name or serial, with the way to each.
import type { SearchHit as SearchHitSchema } from '@vedette/contract/calls/organization.ts';
import type { z } from 'zod';
import type { Rights } from '../../auth/rights.ts';
import { visibleChannels, visibleDevices, visibleOrganizations } from '../../auth/visible.ts';
import { searchChannels } from '../../database/channel.queries.ts';
import type { Database } from '../../database/connection.ts';
import { filterDevices, listedDevices } from '../../database/device.queries.ts';
import { searchOrganizations } from '../../database/organization.queries.ts';
import type { Handlers } from '../../http/handler.ts';
import { visiblePath } from './organization.facts.ts';

type SearchHit = z.infer<typeof SearchHitSchema>;
type Kind = SearchHit['type'];
interface Search {
  readonly keyWord: string;
  readonly limit: number;
  readonly isWeb: boolean;
}
interface Found {
  readonly total: number;
  readonly hits: SearchHit[];
}

const ALL_KINDS: readonly Kind[] = ['organization', 'device', 'channel'];

export function searchHandlers(parts: { database: Database }): Handlers<'org/search'> {
  return {
    'org/search': async ({ input, rights, isWeb }) => {
      const held = await rights();
      const { keyWord, pageSize: limit } = input;
      const kinds = input.types ?? ALL_KINDS;
      const search = { organization: findOrganizations, device: findDevices, channel: findChannels };
      const found: Found[] = [];
      for (const kind of ALL_KINDS) {
        if (kinds.includes(kind)) found.push(await search[kind](parts.database, held, { keyWord, limit, isWeb }));
      }
      const hitList = found.flatMap((one) => one.hits).slice(0, input.pageSize);
      return { total: found.reduce((sum, one) => sum + one.total, 0), hitList };
    },
  };
}

async function findOrganizations(database: Database, rights: Rights, { keyWord, limit }: Search): Promise<Found> {
  const query = searchOrganizations(database, visibleOrganizations(rights, null), keyWord);
  const { total } = await query.select((select) => select.fn.countAll<number>().as('total')).executeTakeFirstOrThrow();
  const rows = await query
    .select(['organization_id', 'organization_name', 'owner_id', 'path'])
    .orderBy('organization_name')
    .orderBy('organization_id')
    .limit(limit)
    .execute();
  const hits = rows.map((row) => ({
    type: 'organization' as const,
    organizationId: row.organization_id,
    deviceSerial: null,
    channelNo: null,
    name: row.organization_name,
    path: visiblePath(row, rights),
  }));
  return { total, hits };
}

async function findDevices(database: Database, rights: Rights, { keyWord, limit, isWeb }: Search): Promise<Found> {
  const query = filterDevices(listedDevices(database, visibleDevices(rights, null), isWeb), { keyWord });
  const { total } = await query.select((select) => select.fn.countAll<number>().as('total')).executeTakeFirstOrThrow();
  const rows = await query
    .select(['device.device_serial', 'device.device_name', 'device.owner_id', 'organization.path'])
    .orderBy('device.device_name')
    .orderBy('device.device_id')
    .limit(limit)
    .execute();
  const hits = rows.map((row) => ({
    type: 'device' as const,
    ...placeOf(row, rights),
    deviceSerial: row.device_serial,
    channelNo: null,
    name: row.device_name,
  }));
  return { total, hits };
}

async function findChannels(database: Database, rights: Rights, { keyWord, limit, isWeb }: Search): Promise<Found> {
  const query = searchChannels(database, visibleChannels(rights, null), keyWord, isWeb);
  const { total } = await query.select((select) => select.fn.countAll<number>().as('total')).executeTakeFirstOrThrow();
  const rows = await query
    .select([
      'device.device_serial',
      'channel.channel_no',
      'channel.channel_name',
      'device.owner_id',
      'organization.path',
    ])
    .orderBy('channel.channel_name')
    .orderBy('channel.channel_id')
    .limit(limit)
    .execute();
  const hits = rows.map((row) => ({
    type: 'channel' as const,
    ...placeOf(row, rights),
    deviceSerial: row.device_serial,
    channelNo: row.channel_no,
    name: row.channel_name,
  }));
  return { total, hits };
}

function placeOf(row: { owner_id: string; path: string[] | null }, rights: Rights) {
  const path = visiblePath({ owner_id: row.owner_id, path: row.path ?? [] }, rights);
  return { organizationId: path.at(-1) ?? '0', path };
}
