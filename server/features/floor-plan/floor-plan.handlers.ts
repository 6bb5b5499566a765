// Handlers of floorPlan/*: pictures of places with cameras on them, each caller shown its own cameras alone.
import type { CallParsed } from '@vedette/contract/calls/calls.ts';
import type {
  FloorPlan,
  FloorPlanCamera,
  floorPlanCalls,
  FloorPlanEntry,
  FloorPlanPicture,
} from '@vedette/contract/calls/floor-plan.ts';
import { FLOOR_PLAN_LIMITS } from '@vedette/contract/limits.ts';
import { newId } from '@vedette/foundation/random/ids.ts';
import { decide } from '@vedette/rules/decide/decide.ts';
import { pageRange } from '@vedette/rules/paging.ts';
import type { Rights } from '../../auth/rights.ts';
import { visibleChannels, visibleOrganizations } from '../../auth/visibility-conditions.ts';
import type { RealtimeHub } from '../../bus/realtime-hub.ts';
import { CallError, fieldError, requireFound } from '../../core/call-error.ts';
import {
  camerasOnPlan,
  channelIdsOf,
  deleteFloorPlan,
  findFloorPlan,
  floorPlansWhere,
  insertFloorPlan,
  listFloorPlans,
  type PlacedFloorPlan,
  readPicture,
  replaceCameras,
  type StoredCamera,
  type StoredPicture,
  updateFloorPlan,
} from '../../database/access/floor-plan.queries.ts';
import type { Database } from '../../database/connection.ts';
import type { OrganizationRow } from '../../database/schema/schema.ts';
import { isUniqueViolation } from '../../database/unique-violation.ts';
import type { Handlers } from '../../http/handler.ts';
import { withinQuota } from '../../quota/reserve-quota.ts';
import { pictureSize } from './picture-size.ts';

export interface FloorPlanDeps {
  readonly database: Database;
  readonly hub: Pick<RealtimeHub, 'pushAbout'>;
}

export function floorPlanHandlers(deps: FloorPlanDeps): Handlers<keyof typeof floorPlanCalls> {
  const { database, hub } = deps;
  return {
    'floorPlan/list': async ({ input, rights }) => {
      const held = await rights();
      const query = floorPlansWhere(database, visibleOrganizations(held, null));
      const { total } = await query
        .select((select) => select.fn.countAll<number>().as('total'))
        .executeTakeFirstOrThrow();
      const rows = await listFloorPlans(query, pageRange(input));
      return { total, floorPlanList: rows.map((row) => toEntry(row, held)) };
    },
    'floorPlan/get': async ({ input, rights }) => ({
      floorPlan: await oneFloorPlan(database, await rights(), input.floorPlanId),
    }),
    'floorPlan/picture': async ({ input, rights }) => {
      const row = await readPicture(database, visibleOrganizations(await rights(), null), input.floorPlanId);
      const { picture, picture_type: contentType } = requireFound(row, 'notFound');
      return { picture: { contentType, data: picture.toString('base64') } };
    },
    'floorPlan/save': async ({ input, organization, rights, now }) => {
      const place = existing(organization);
      const held = await rights();
      const floorPlanId = await saveFloorPlan(database, held, { input, place, now });
      hub.pushAbout({ kind: 'resourcesChanged' }, objectOf(place));
      return { floorPlan: await oneFloorPlan(database, held, floorPlanId) };
    },
    'floorPlan/delete': async ({ input, organization, rights }) => {
      const place = existing(organization);
      const row = await planIn(database, await rights(), place, input.floorPlanId);
      await deleteFloorPlan(database, row.floor_plan_id);
      hub.pushAbout({ kind: 'resourcesChanged' }, objectOf(place));
      return {};
    },
  };
}

/** The root has no picture: plans belong to organisations. */
function existing(organization: OrganizationRow | null): OrganizationRow {
  if (organization === null) throw new CallError('notFound');
  return organization;
}

function objectOf({ owner_id: ownerId, path }: Pick<OrganizationRow, 'owner_id' | 'path'>) {
  return { kind: 'organization', ownerId, organizationPath: path } as const;
}

/** Throws 1007: the right was checked on the organisation that the input names, and on no other. */
async function planIn(
  database: Database,
  rights: Rights,
  place: OrganizationRow,
  floorPlanId: string,
): Promise<PlacedFloorPlan> {
  const row = await findFloorPlan(database, visibleOrganizations(rights, null), floorPlanId);
  return requireFound(row?.organization_id === place.organization_id && row, 'notFound');
}

interface SaveOrder {
  readonly input: CallParsed<'floorPlan/save'>;
  readonly place: OrganizationRow;
  readonly now: number;
}

/** Throws 1003, 1007, 1009, 1010 with the newer plan, 1011 and 1016. */
async function saveFloorPlan(database: Database, rights: Rights, order: SaveOrder): Promise<string> {
  const { input, place } = order;
  if (input.floorPlanId !== undefined) await planIn(database, rights, place, input.floorPlanId);
  const cameras = await storedCameras(database, rights, input.cameraList);
  const picture = input.picture && storedPicture(input.picture);
  try {
    return await write(database, rights, { ...order, cameras, picture });
  } catch (error) {
    if (isUniqueViolation(error)) throw new CallError('alreadyExists', { name: 'notAllowed' });
    throw error;
  }
}

interface WriteOrder extends SaveOrder {
  readonly cameras: readonly StoredCamera[];
  readonly picture: StoredPicture | undefined;
}

async function write(database: Database, rights: Rights, order: WriteOrder): Promise<string> {
  const { input, place, now, cameras, picture } = order;
  const { floorPlanId, version } = input;
  const name = input.name.trim();
  if (floorPlanId === undefined || version === undefined) {
    const plan = { floorPlanId: newId(), organizationId: place.organization_id, name, now };
    const use = { accountId: place.owner_id, now, take: { floorPlans: 1 } };
    await withinQuota(database, use, async (transaction) => {
      await insertFloorPlan(transaction, { ...plan, picture: requireFound(picture, 'paramInvalid') });
      await replaceCameras(transaction, plan.floorPlanId, { replaced: [], cameras });
    });
    return plan.floorPlanId;
  }
  const isDone = await database.transaction().execute(async (transaction) => {
    if (!(await updateFloorPlan(transaction, { floorPlanId, version, name, picture, now }))) return false;
    // What the editor can't see is not its to remove.
    const seen = await camerasOnPlan(transaction, visibleChannels(rights, null), floorPlanId);
    await replaceCameras(transaction, floorPlanId, { replaced: seen.map((row) => row.channel_id), cameras });
    return true;
  });
  if (!isDone) throw new CallError('stale', await oneFloorPlan(database, rights, floorPlanId));
  return floorPlanId;
}

/** Throws 1009: only what the caller sees in its lists is placed. */
async function storedCameras(
  database: Database,
  rights: Rights,
  cameras: readonly FloorPlanCamera[],
): Promise<StoredCamera[]> {
  const serials = [...new Set(cameras.map((camera) => camera.deviceSerial))];
  const ids = await channelIdsOf(database, visibleChannels(rights, null), serials);
  return cameras.map(({ deviceSerial, channelNo, x, y, direction, viewAngle }) => {
    const channelId = requireFound(ids.get(`${deviceSerial}:${channelNo}`), 'devNotExist');
    return { channelId, x, y, direction, viewAngle };
  });
}

/** Throws 1003 for what is no picture of its type, or one that would take a browser too much memory. */
function storedPicture({ contentType, data }: FloorPlanPicture): StoredPicture {
  const picture = Buffer.from(data, 'base64');
  const size = pictureSize(contentType, picture);
  if (size === null) throw fieldError({ picture: 'format' });
  const { width, height } = size;
  const { side, pixels } = FLOOR_PLAN_LIMITS;
  if (Math.max(width, height) > side || width * height > pixels) throw fieldError({ picture: 'tooBig' });
  return { picture_type: contentType, picture, width, height };
}

async function oneFloorPlan(database: Database, rights: Rights, floorPlanId: string): Promise<FloorPlan> {
  const found = await findFloorPlan(database, visibleOrganizations(rights, null), floorPlanId);
  const row = requireFound(found, 'notFound');
  const cameras = await camerasOnPlan(database, visibleChannels(rights, null), floorPlanId);
  const cameraList = cameras.map((camera) => ({
    deviceSerial: camera.device_serial,
    channelNo: camera.channel_no,
    x: camera.x,
    y: camera.y,
    direction: camera.direction,
    viewAngle: camera.view_angle,
  }));
  return { ...toEntry(row, rights), cameraList };
}

function toEntry(row: PlacedFloorPlan, rights: Rights): FloorPlanEntry {
  return {
    floorPlanId: row.floor_plan_id,
    organizationId: row.organization_id,
    name: row.plan_name,
    width: row.width,
    height: row.height,
    pictureTime: row.picture_at,
    isEditable: decide({ ...rights, action: 'OrganizationManage', object: objectOf(row) }).allowed,
    version: row.version,
    changedAt: row.changed_at,
  };
}
