// Finds sightings by channels, classes, time and area, newest first.
import type { ObjectClass } from '@vedette/contract/enumerations.ts';
import { WEB_HIDDEN_DEVICE_TYPES } from '@vedette/contract/enumerations.ts';
import type { ScenePoint } from '@vedette/contract/site/site-analysis.ts';
import { SIGHTING_LIMITS } from '@vedette/contract/site/site-sighting.ts';
import { HOUR_MS } from '@vedette/foundation/units/durations.ts';
import { cellsAround } from '@vedette/rules/scene/sighting/foot-cells.ts';
import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { Database } from '../connection.ts';
import { channelsWhere } from '../device/channel.queries.ts';

export interface SearchedChannels {
  readonly visible: RawBuilder<SqlBool>;
  readonly devices?: readonly { readonly deviceSerial: string; readonly channelNo?: number | undefined }[] | undefined;
  /** Hides from browsers what PM-05 excludes. */
  readonly isWeb: boolean;
}

export type SearchedChannel = Awaited<ReturnType<typeof searchedChannels>>[number];

export async function searchedChannels(database: Database, { visible, devices, isWeb }: SearchedChannels) {
  let query = channelsWhere(database, visible).select([
    'channel.channel_id',
    'channel.channel_no',
    'channel.channel_name',
    'device.owner_id',
    'device.device_serial',
    'device.device_name',
  ]);
  if (isWeb) query = query.where('device.device_type', 'not in', [...WEB_HIDDEN_DEVICE_TYPES]);
  if (devices === undefined) return await query.execute();
  const serials = devices.map(({ deviceSerial }) => deviceSerial);
  const numbers = devices.map(({ channelNo = 0 }) => channelNo);
  return await query
    .where(
      sql<SqlBool>`exists (select from unnest(${serials}::text[], ${numbers}::integer[]) as named (serial, number)
        where named.serial = device.device_serial and named.number in (0, channel.channel_no))`,
    )
    .execute();
}

/** The row before the page. */
export interface SightingCursor {
  readonly startTime: number;
  readonly sightingId: number;
}

export interface SightingSearch {
  readonly channels: readonly Pick<SearchedChannel, 'channel_id' | 'owner_id'>[];
  readonly classes: readonly ObjectClass[];
  readonly startTime: number;
  readonly endTime: number;
  readonly zone?: readonly ScenePoint[] | undefined;
  readonly after: SightingCursor | null;
  readonly limit: number;
}

export type FoundSighting = Awaited<ReturnType<typeof findSightings>>[number];

/**
 * Each channel and class is read from its newest row on, no further than the page needs. What the index holds is
 * looked at first, without the rows: `offset 0` keeps PostgreSQL from merging both steps, which reads every row.
 */
export async function findSightings(database: Database, search: SightingSearch) {
  const { channels, classes, zone, limit } = search;
  if (channels.length === 0) return [];
  const channelIds = channels.map((one) => one.channel_id);
  const ownerIds = channels.map((one) => one.owner_id);
  const found = sql<{ sighting_id: number }>`(
    select hit.sighting_id
    from unnest(${channelIds}::text[], ${ownerIds}::text[]) as searched (channel_id, owner_id)
    cross join unnest(${[...classes]}::text[]) as class (name)
    cross join lateral (${zone === undefined ? newest(search) : newestThrough(search, zone)} limit ${limit}) as hit
    order by hit.start_time desc, hit.sighting_id desc
    limit ${limit}
  )`;
  return await database
    .selectFrom('sighting')
    .select(['sighting_id', 'channel_id', 'track_id', 'object_class', 'score', 'regions'])
    .select(['start_time', 'best_time', 'end_time'])
    .select(sql<boolean>`picture is not null`.as('has_picture'))
    .where(sql<SqlBool>`sighting_id in ${found}`)
    .orderBy('start_time', 'desc')
    .orderBy('sighting_id', 'desc')
    .execute();
}

/** Of one channel and class. */
function newest(search: SightingSearch): RawBuilder<unknown> {
  return sql`
    select sighting.sighting_id, sighting.start_time from sighting
    where sighting.channel_id = searched.channel_id and sighting.owner_id = searched.owner_id
      and sighting.object_class = class.name and ${matches(search)}
    order by sighting.start_time desc, sighting.sighting_id desc`;
}

/** Hour by hour, and only the hours in which a foot was near the area: the order by hours lets the limit end it early. */
function newestThrough(search: SightingSearch, zone: readonly ScenePoint[]): RawBuilder<unknown> {
  const first = Math.floor((search.startTime - SIGHTING_LIMITS.lengthMs) / HOUR_MS);
  return sql`
    select near.sighting_id, near.start_time
    from sighting_hour as hours
    cross join lateral (
      ${newest(search)}
      offset 0
    ) as near
    ${isThrough(zone)}
    where hours.channel_id = searched.channel_id and hours.object_class = class.name
      and hours.hour between ${first} and ${Math.floor(search.endTime / HOUR_MS)}
      and (hours.foot_cells & ${cellsOf(zone)}::bigint) <> 0
    order by hours.hour desc, near.start_time desc, near.sighting_id desc`;
}

function matches({ startTime, endTime, zone, after }: SightingSearch): RawBuilder<SqlBool> {
  const conditions = [
    sql`sighting.start_time >= ${startTime - SIGHTING_LIMITS.lengthMs} and sighting.start_time < ${endTime}`,
    sql`sighting.end_time >= ${startTime}`,
  ];
  if (after !== null) {
    conditions.push(sql`(sighting.start_time, sighting.sighting_id) < (${after.startTime}, ${after.sightingId})`);
  }
  if (zone !== undefined) {
    conditions.push(sql`(sighting.foot_cells & ${cellsOf(zone)}::bigint) <> 0`);
    conditions.push(sql`sighting.start_time >= hours.hour * ${HOUR_MS}::bigint`);
    conditions.push(sql`sighting.start_time < (hours.hour + 1) * ${HOUR_MS}::bigint`);
  }
  return sql<SqlBool>`${sql.join(conditions, sql` and `)}`;
}

/** As the signed number of 64 bits that PostgreSQL keeps. */
function cellsOf(zone: readonly ScenePoint[]): string {
  return BigInt.asIntN(64, cellsAround(zone)).toString();
}

/** The foot went through the area: it began there, or crossed its edge. */
function isThrough(zone: readonly ScenePoint[]): RawBuilder<unknown> {
  const corners = `(${zone.map(({ x, y }) => `(${x},${y})`).join(',')})`;
  return sql`cross join lateral (
    select from sighting as whole
    where whole.sighting_id = near.sighting_id
      and (${corners}::polygon @> whole.foot_start or whole.foot_path ?# ${corners}::path)
    offset 0
  ) as through`;
}

/** With the place and the owner of its device; undefined: there is none, or it is of an earlier owner. */
export async function findSightingPicture(
  database: Database,
  { visible, isWeb }: Pick<SearchedChannels, 'visible' | 'isWeb'>,
  sightingId: number,
) {
  let query = channelsWhere(database, visible)
    .innerJoin('sighting', (join) =>
      join.onRef('sighting.channel_id', '=', 'channel.channel_id').onRef('sighting.owner_id', '=', 'device.owner_id'),
    )
    .select(['sighting.picture', 'sighting.best_time', 'device.owner_id', 'device.device_id', 'device.device_serial'])
    .select(['channel.channel_no', 'channel.channel_name', 'organization.path as organization_path'])
    .where('sighting.sighting_id', '=', sightingId);
  if (isWeb) query = query.where('device.device_type', 'not in', [...WEB_HIDDEN_DEVICE_TYPES]);
  return await query.executeTakeFirst();
}
