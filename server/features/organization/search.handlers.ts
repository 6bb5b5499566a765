// Handler of org/search: organisations, devices and channels by name or serial, with the path to each.
import type { SearchHit as SearchHitSchema } from '@vedette/contract/calls/organization.ts';
import { SEARCH_COUNT_MAX } from '@vedette/contract/limits.ts';
import { sql } from 'kysely';
import type { z } from 'zod';
import type { Rights } from '../../auth/rights.ts';
import { visibleChannels, visibleDevices, visibleOrganizations } from '../../auth/visibility-conditions.ts';
import { searchChannels } from '../../database/device/channel.queries.ts';
import type { Database } from '../../database/connection.ts';
import { filterDevices, listedDevices } from '../../database/device/device.queries.ts';
import { searchOrganizations } from '../../database/access/organization.queries.ts';
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
      const asked = ALL_KINDS.filter((kind) => kinds.includes(kind));
      const found = await Promise.all(
        asked.map((kind) => search[kind](parts.database, held, { keyWord, limit, isWeb })),
      );
      const hitList = found.flatMap((one) => one.hits).slice(0, input.pageSize);
      return { total: found.reduce((sum, one) => sum + one.total, 0), hitList };
    },
  };
}

async function findOrganizations(database: Database, rights: Rights, { keyWord, limit }: Search): Promise<Found> {
  const hits = searchOrganizations(database, visibleOrganizations(rights, null), keyWord)
    .select(['organization_name as name', 'organization_id as id', 'owner_id', 'path'])
    .limit(SEARCH_COUNT_MAX);
  const rows = await database
    .selectFrom(hits.as('hit'))
    .selectAll()
    .select(TOTAL)
    .orderBy('name')
    .orderBy('id')
    .limit(limit)
    .execute();
  return toFound(rows, (row) => ({
    type: 'organization',
    organizationId: row.id,
    deviceSerial: null,
    channelNo: null,
    name: row.name,
    path: visiblePath(row, rights),
  }));
}

async function findDevices(database: Database, rights: Rights, { keyWord, limit, isWeb }: Search): Promise<Found> {
  const hits = filterDevices(listedDevices(database, visibleDevices(rights, null), isWeb), { keyWord })
    .select(['device.device_name as name', 'device.device_id as id', 'device.device_serial', 'device.owner_id'])
    .select('organization.path')
    .limit(SEARCH_COUNT_MAX);
  const rows = await database
    .selectFrom(hits.as('hit'))
    .selectAll()
    .select(TOTAL)
    .orderBy('name')
    .orderBy('id')
    .limit(limit)
    .execute();
  return toFound(rows, (row) => ({
    type: 'device',
    ...pathTo(row, rights),
    deviceSerial: row.device_serial,
    channelNo: null,
    name: row.name,
  }));
}

async function findChannels(database: Database, rights: Rights, { keyWord, limit, isWeb }: Search): Promise<Found> {
  const hits = searchChannels(database, visibleChannels(rights, null), keyWord, isWeb)
    .select(['channel.channel_name as name', 'channel.channel_id as id', 'channel.channel_no'])
    .select(['device.device_serial', 'device.owner_id', 'organization.path'])
    .limit(SEARCH_COUNT_MAX);
  const rows = await database
    .selectFrom(hits.as('hit'))
    .selectAll()
    .select(TOTAL)
    .orderBy('name')
    .orderBy('id')
    .limit(limit)
    .execute();
  return toFound(rows, (row) => ({
    type: 'channel',
    ...pathTo(row, rights),
    deviceSerial: row.device_serial,
    channelNo: row.channel_no,
    name: row.name,
  }));
}

/** Unsorted above the counting limit: sorting all would take longer, and users refine the search anyway. */
const TOTAL = sql<number>`count(*) over ()`.as('total');

function toFound<R extends { readonly total: number }>(rows: readonly R[], toHit: (row: R) => SearchHit): Found {
  return { total: rows[0]?.total ?? 0, hits: rows.map(toHit) };
}

function pathTo(row: { owner_id: string; path: string[] | null }, rights: Rights) {
  const path = visiblePath({ owner_id: row.owner_id, path: row.path ?? [] }, rights);
  return { organizationId: path.at(-1) ?? '0', path };
}
