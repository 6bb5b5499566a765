// When which classes of objects were seen, and where they went: for the timeline and the pictures of playback.
import type { ObjectClass } from '@vedette/contract/enumerations.ts';
import { SIGHTING_LIMITS } from '@vedette/contract/site/site-sighting.ts';
import { sql } from 'kysely';
import type { Database } from '../connection.ts';
import type { SearchedChannel } from './sighting-search.queries.ts';

interface SightingTime {
  readonly channels: readonly Pick<SearchedChannel, 'channel_id' | 'owner_id'>[];
  readonly startTime: number;
  readonly endTime: number;
}

export interface SightingRanges extends SightingTime {
  /** What lies no further apart is one range. */
  readonly mergeMs: number;
}

export interface SightingRange {
  readonly channel_id: string;
  readonly object_class: ObjectClass;
  readonly start_time: number;
  readonly end_time: number;
}

/**
 * Ranges in which something of a class was in view, in order. From the index alone: a range begins where a sighting
 * starts later than `mergeMs` after all before it have ended.
 */
export async function findSightingRanges(database: Database, asked: SightingRanges): Promise<SightingRange[]> {
  if (asked.channels.length === 0) return [];
  const { rows } = await sql<SightingRange>`
    with seen as (
      select channel_id, object_class, start_time, end_time, sighting_id,
        max(end_time) over (partition by channel_id, object_class order by start_time, sighting_id
          rows between unbounded preceding and 1 preceding) as before
      from ${sightingsIn(asked)}
    ), numbered as (
      select seen.*, count(*) filter (where before is null or start_time > before + ${asked.mergeMs}::bigint)
        over (partition by channel_id, object_class order by start_time, sighting_id rows unbounded preceding) as number
      from seen
    )
    select channel_id, object_class, min(start_time) as start_time, max(end_time) as end_time
    from numbered
    group by channel_id, object_class, number
    order by channel_id, start_time`.execute(database);
  return rows;
}

/** The newest ones in the range. */
export async function findSightingPaths(database: Database, asked: SightingTime & { readonly limit: number }) {
  if (asked.channels.length === 0) return [];
  return await database
    .selectFrom('sighting')
    .select(['track_id', 'object_class', 'score', 'start_time', 'boxes'])
    .where(
      'sighting_id',
      'in',
      sql<number>`(select sighting_id from ${sightingsIn(asked)}
      order by start_time desc limit ${asked.limit})`,
    )
    .orderBy('start_time')
    .execute();
}

function sightingsIn({ channels, startTime, endTime }: SightingTime) {
  const channelIds = channels.map((one) => one.channel_id);
  const ownerIds = channels.map((one) => one.owner_id);
  return sql`(
    select sighting.sighting_id, sighting.channel_id, sighting.object_class, sighting.start_time, sighting.end_time
    from sighting
    join unnest(${channelIds}::text[], ${ownerIds}::text[]) as asked (channel_id, owner_id) using (channel_id, owner_id)
    where sighting.start_time >= ${startTime - SIGHTING_LIMITS.lengthMs} and sighting.start_time < ${endTime}
      and sighting.end_time >= ${startTime}
  ) as found`;
}
