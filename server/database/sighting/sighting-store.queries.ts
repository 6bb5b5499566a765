// Stores sightings of objects, and deletes those whose time is over.
import type { SightingReport } from '@vedette/contract/site/site-sighting.ts';
import { OBJECT_CLASSES } from '@vedette/contract/enumerations.ts';
import { cellsOfPath } from '@vedette/rules/scene/sighting/foot-cells.ts';
import { footOf } from '@vedette/rules/scene/rules/region-geometry.ts';
import { DAY_MS, HOUR_MS } from '@vedette/foundation/units/durations.ts';
import { sql } from 'kysely';
import type { Database } from '../connection.ts';

export interface NewSighting {
  readonly report: SightingReport;
  readonly deviceId: string;
  readonly ownerId: string;
  readonly picture: Buffer | null;
}

/** Those of channels that are gone are left out. */
export async function insertSightings(database: Database, sightings: readonly NewSighting[]): Promise<void> {
  if (sightings.length === 0) return;
  const deviceIds = [...new Set(sightings.map(({ deviceId }) => deviceId))];
  const channels = await database
    .selectFrom('channel')
    .select(['channel_id', 'device_id', 'channel_no'])
    .where('device_id', 'in', deviceIds)
    .execute();
  const idOf = new Map(channels.map((one) => [`${one.device_id} ${one.channel_no}`, one.channel_id]));
  const rows = sightings.flatMap((sighting) => {
    const channelId = idOf.get(`${sighting.deviceId} ${sighting.report.channelNo}`);
    return channelId === undefined ? [] : [rowOf(sighting, channelId)];
  });
  if (rows.length > 0) await database.insertInto('sighting').values(rows).execute();
}

function rowOf({ report, ownerId, picture }: NewSighting, channelId: string) {
  const feet = report.path.map(([, x, y, width, height]) => footOf({ x, y, width, height }));
  const points = feet.map(({ x, y }) => `(${x},${y})`);
  return {
    channel_id: channelId,
    owner_id: ownerId,
    track_id: report.trackId,
    object_class: report.objectClass,
    score: report.score,
    start_time: report.at,
    end_time: report.endAt,
    best_time: report.bestAt,
    boxes: JSON.stringify(report.path),
    foot_path: `[${points.join(',')}]`,
    foot_start: points[0] ?? '',
    foot_cells: BigInt.asIntN(64, cellsOfPath(feet)).toString(),
    regions: [...report.regions],
    picture,
  };
}

export interface SightingRetention {
  readonly now: number;
  /** Of channels whose recording plan names none. */
  readonly usualDays: number;
  /** Rows of each channel and class that are deleted at most. */
  readonly limit: number;
}

/** Answers how many were deleted; there may be more. */
export async function deleteOldSightings(
  database: Database,
  { now, usualDays, limit }: SightingRetention,
): Promise<number> {
  const { numAffectedRows = 0n } = await sql`
    delete from sighting where sighting_id in (
      select old.sighting_id
      from channel
      cross join unnest(${[...OBJECT_CLASSES]}::text[]) as class (name)
      cross join lateral (
        select sighting_id from sighting
        where channel_id = channel.channel_id and object_class = class.name
          and start_time < ${now} - coalesce((channel.record_plan ->> 'retentionDays')::integer, ${usualDays}) * ${DAY_MS}::bigint
        limit ${limit}
      ) as old
    )`.execute(database);
  return Number(numAffectedRows);
}

/** Hours of which all sightings are old enough to be deleted. */
export async function deleteOldSightingHours(
  database: Database,
  { now, usualDays }: Omit<SightingRetention, 'limit'>,
): Promise<void> {
  await sql`
    delete from sighting_hour using channel
    where channel.channel_id = sighting_hour.channel_id
      and (sighting_hour.hour + 1) * ${HOUR_MS}::bigint
        < ${now} - coalesce((channel.record_plan ->> 'retentionDays')::integer, ${usualDays}) * ${DAY_MS}::bigint`.execute(
    database,
  );
}

/** Also those of devices that the owner gave away. */
export async function eraseSightings(database: Database, ownerId: string): Promise<void> {
  await database.deleteFrom('sighting').where('owner_id', '=', ownerId).execute();
}
