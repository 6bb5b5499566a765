// Reads and writes floor plans and the cameras on them.
import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { Database } from '../connection.ts';
import { channelsWhere } from '../device/channel.queries.ts';
import type { FloorPlanRow } from '../schema/floor-plan-schema.ts';

/** With what is needed to decide about its organisation. */
export type PlacedFloorPlan = FloorPlanRow & { readonly owner_id: string; readonly path: string[] };

export interface StoredPicture {
  readonly picture_type: FloorPlanRow['picture_type'];
  readonly picture: Buffer;
  readonly width: number;
  readonly height: number;
}

export interface StoredCamera {
  readonly channelId: string;
  readonly x: number;
  readonly y: number;
  readonly direction: number;
  readonly viewAngle: number;
}

/** Joined with `organization`, for conditions of auth/visibility-conditions.ts. */
export function floorPlansWhere(database: Database, visible: RawBuilder<SqlBool>) {
  return database
    .selectFrom('floor_plan')
    .innerJoin('organization', 'organization.organization_id', 'floor_plan.organization_id')
    .where(visible);
}

const COLUMNS = [
  'floor_plan.floor_plan_id',
  'floor_plan.organization_id',
  'floor_plan.plan_name',
  'floor_plan.picture_type',
  'floor_plan.picture_at',
  'floor_plan.width',
  'floor_plan.height',
  'floor_plan.version',
  'floor_plan.changed_at',
  'organization.owner_id',
  'organization.path',
] as const;

export async function listFloorPlans(
  query: ReturnType<typeof floorPlansWhere>,
  page: { readonly offset: number; readonly limit: number },
): Promise<PlacedFloorPlan[]> {
  return await query
    .select(COLUMNS)
    .orderBy('floor_plan.plan_name_key')
    .orderBy('floor_plan.floor_plan_id')
    .offset(page.offset)
    .limit(page.limit)
    .execute();
}

export function findFloorPlan(
  database: Database,
  visible: RawBuilder<SqlBool>,
  floorPlanId: string,
): Promise<PlacedFloorPlan | undefined> {
  return floorPlansWhere(database, visible)
    .select(COLUMNS)
    .where('floor_plan.floor_plan_id', '=', floorPlanId)
    .executeTakeFirst();
}

export function readPicture(
  database: Database,
  visible: RawBuilder<SqlBool>,
  floorPlanId: string,
): Promise<Pick<StoredPicture, 'picture' | 'picture_type'> | undefined> {
  return floorPlansWhere(database, visible)
    .select(['floor_plan.picture', 'floor_plan.picture_type'])
    .where('floor_plan.floor_plan_id', '=', floorPlanId)
    .executeTakeFirst();
}

/** Of one plan, by name of device and number of channel. */
export async function camerasOnPlan(database: Database, visibleChannel: RawBuilder<SqlBool>, floorPlanId: string) {
  return await channelsWhere(database, visibleChannel)
    .innerJoin('floor_plan_camera', 'floor_plan_camera.channel_id', 'channel.channel_id')
    .select(['device.device_serial', 'channel.channel_no', 'channel.channel_id'])
    .select(['floor_plan_camera.x', 'floor_plan_camera.y'])
    .select(['floor_plan_camera.direction', 'floor_plan_camera.view_angle'])
    .where('floor_plan_camera.floor_plan_id', '=', floorPlanId)
    .orderBy('device.device_serial')
    .orderBy('channel.channel_no')
    .execute();
}

/** Ids of the channels of these devices that the condition lets through, by `serial:number`. */
export async function channelIdsOf(
  database: Database,
  visibleChannel: RawBuilder<SqlBool>,
  serials: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (serials.length === 0) return new Map();
  const rows = await channelsWhere(database, visibleChannel)
    .select(['device.device_serial', 'channel.channel_no', 'channel.channel_id'])
    .where('device.device_serial', 'in', [...serials])
    .execute();
  return new Map(rows.map((row) => [`${row.device_serial}:${row.channel_no}`, row.channel_id]));
}

export interface NewFloorPlan {
  readonly floorPlanId: string;
  readonly organizationId: string;
  readonly name: string;
  readonly picture: StoredPicture;
  readonly now: number;
}

/** Rejects with a unique violation where the organisation has a plan of that name. */
export async function insertFloorPlan(database: Database, plan: NewFloorPlan): Promise<void> {
  const { floorPlanId, organizationId, name, picture, now } = plan;
  await database
    .insertInto('floor_plan')
    .values({
      floor_plan_id: floorPlanId,
      organization_id: organizationId,
      ...nameColumns(name),
      ...picture,
      picture_at: now,
      created_at: now,
      changed_at: now,
    })
    .execute();
}

export interface FloorPlanChange extends Omit<NewFloorPlan, 'organizationId' | 'picture'> {
  /** Of which it is a change. */
  readonly version: number;
  /** Undefined keeps the stored one. */
  readonly picture: StoredPicture | undefined;
}

/** False where the plan has another version by now, or is gone. */
export async function updateFloorPlan(database: Database, change: FloorPlanChange): Promise<boolean> {
  const { floorPlanId, version, name, picture, now } = change;
  const row = await database
    .updateTable('floor_plan')
    .set({
      ...nameColumns(name),
      ...(picture !== undefined && { ...picture, picture_at: now }),
      version: sql`version + 1`,
      changed_at: now,
    })
    .where('floor_plan_id', '=', floorPlanId)
    .where('version', '=', version)
    .returning('floor_plan_id')
    .executeTakeFirst();
  return row !== undefined;
}

/** Puts the cameras in place of those with the ids in `replaced`; the others stay where they are. */
export async function replaceCameras(
  database: Database,
  floorPlanId: string,
  { replaced, cameras }: { readonly replaced: readonly string[]; readonly cameras: readonly StoredCamera[] },
): Promise<void> {
  if (replaced.length > 0) {
    await database
      .deleteFrom('floor_plan_camera')
      .where('floor_plan_id', '=', floorPlanId)
      .where('channel_id', 'in', [...replaced])
      .execute();
  }
  if (cameras.length === 0) return;
  const rows = cameras.map(({ channelId, x, y, direction, viewAngle }) => ({
    floor_plan_id: floorPlanId,
    channel_id: channelId,
    x,
    y,
    direction,
    view_angle: viewAngle,
  }));
  await database.insertInto('floor_plan_camera').values(rows).execute();
}

export async function deleteFloorPlan(database: Database, floorPlanId: string): Promise<void> {
  await database.deleteFrom('floor_plan').where('floor_plan_id', '=', floorPlanId).execute();
}

function nameColumns(name: string) {
  return { plan_name: name, plan_name_key: name.toLowerCase() };
}
