// Builds the assignment of each device for its site from the database, with decrypted credentials.
import { CLOUD_COMBO } from '@vedette/contract/enumerations.ts';
import type { ChannelAssignment, DeviceAssignment, RecordOrder } from '@vedette/contract/site/site.ts';
import type { SecretBox } from '../core/secret-box.ts';
import type { Database } from '../database/connection.ts';
import { currentStays, devicesAt, staysOfDevice } from '../database/device/device-stay.queries.ts';
import { enabledTasks } from '../database/media/analysis-task.queries.ts';
import { cloudPlans } from '../database/media/cloud.queries.ts';
import { type TimeRange, locksOfDevice, allLocks } from '../database/media/recording-mark.queries.ts';
import type { AnalysisTaskRow } from '../database/schema/analysis-schema.ts';
import type { CloudPlanRow } from '../database/schema/cloud-schema.ts';
import type { ChannelRow, DeviceRow, StoredRecordPlan } from '../database/schema/schema.ts';
import { analysisOrders } from './analysis-orders.ts';
import { openSecrets } from './device-secrets.ts';

export interface AssignmentDeps {
  readonly database: Database;
  readonly box: SecretBox;
  readonly retentionDays: () => Promise<number>;
  /** Zone of devices that have none of their own. */
  readonly timeZone: string;
}

/** What holds for all devices at the time of an assignment. */
interface Shared {
  readonly box: SecretBox;
  readonly retentionDays: number;
  readonly timeZone: string;
  readonly locks: ReadonlyMap<string, readonly TimeRange[]>;
  readonly plans: ReadonlyMap<string, CloudPlanRow>;
  readonly tasks: ReadonlyMap<string, readonly AnalysisTaskRow[]>;
}

export async function allAssignments(deps: AssignmentDeps, siteId: string): Promise<DeviceAssignment[]> {
  const { database, box, timeZone } = deps;
  const devices = await devicesAt(database, siteId);
  const channels = await database.selectFrom('channel').selectAll().orderBy('channel_no').execute();
  const byDevice = Map.groupBy(channels, (channel) => channel.device_id);
  const locks = byChannel(await allLocks(database));
  const plans = await cloudPlans(database);
  const tasks = await enabledTasks(database);
  const shared = { box, timeZone, locks, plans, tasks, retentionDays: await deps.retentionDays() };
  const stays = await currentStays(database);
  return devices.map((device) => {
    const takenAt = stays.get(device.device_id) ?? null;
    const assignment = toAssignment(shared, { ...device, takenAt }, byDevice.get(device.device_id) ?? []);
    return device.site_id === siteId ? assignment : elsewhere(assignment);
  });
}

export interface FoundAssignment {
  readonly siteId: string;
  readonly assignment: DeviceAssignment;
  /** Sites that had the device before: its recordings lie there too. */
  readonly formerSiteIds: readonly string[];
}

/** null where the device is gone. */
export async function oneAssignment(deps: AssignmentDeps, deviceId: string): Promise<FoundAssignment | null> {
  const { database, box, timeZone } = deps;
  const device = await database.selectFrom('device').selectAll().where('device_id', '=', deviceId).executeTakeFirst();
  if (device === undefined) return null;
  const channels = await database
    .selectFrom('channel')
    .selectAll()
    .where('device_id', '=', deviceId)
    .orderBy('channel_no')
    .execute();
  const locks = byChannel(await locksOfDevice(database, deviceId));
  const plans = await cloudPlans(database);
  const tasks = await enabledTasks(database, deviceId);
  const shared = { box, timeZone, locks, plans, tasks, retentionDays: await deps.retentionDays() };
  const stays = await staysOfDevice(database, deviceId);
  const takenAt = stays.find(({ until }) => until === null)?.since ?? null;
  return {
    siteId: device.site_id,
    assignment: toAssignment(shared, { ...device, takenAt }, channels),
    formerSiteIds: [...new Set(stays.map((stay) => stay.site_id))].filter((siteId) => siteId !== device.site_id),
  };
}

/** For a site whose device another one has now: what is needed to keep its recordings, and nothing to reach the device with. */
export function elsewhere(assignment: DeviceAssignment): DeviceAssignment {
  const channels = assignment.channels.map(({ analysis: _none, ...channel }) => ({ ...channel, backfillFrom: null }));
  return { ...assignment, native: {}, user: '', password: '', isElsewhere: true, channels };
}

function byChannel(locks: readonly (TimeRange & { channelId: string })[]): Map<string, TimeRange[]> {
  const found = Map.groupBy(locks, (lock) => lock.channelId);
  return new Map(
    [...found].map(([channelId, list]) => [channelId, list.map(({ startTime, endTime }) => ({ startTime, endTime }))]),
  );
}

interface PlacedDevice extends DeviceRow {
  /** When its site took it from another one; null: it was always there. */
  readonly takenAt: number | null;
}

/** Long enough for what passed between the last recording of the site before and the first one here. */
const TAKEN_BACKFILL_MS = 60_000;

/** Of a device that came from another site, only the time around the move is looked for on its own storage. */
function backfillFrom(channel: ChannelRow, { takenAt }: PlacedDevice): number | null {
  if (takenAt === null || channel.backfill_from === null) return channel.backfill_from;
  return Math.max(channel.backfill_from, takenAt - TAKEN_BACKFILL_MS);
}

function toAssignment(shared: Shared, device: PlacedDevice, channels: readonly ChannelRow[]): DeviceAssignment {
  const { user, password, native } = openSecrets(shared.box, device);
  const timeZone = device.time_zone ?? shared.timeZone;
  return {
    deviceSerial: device.device_serial,
    driver: device.driver,
    native,
    user,
    password,
    isOperatorAddress: device.is_operator_address,
    ...(device.site_epoch > 0 && { epoch: device.site_epoch }),
    channels: channels.map((channel) => ({
      channelNo: channel.channel_no,
      channelId: channel.channel_id,
      record: recordOrder(channel, shared.retentionDays, timeZone),
      locks: shared.locks.get(channel.channel_id) ?? [],
      backfillFrom: backfillFrom(channel, device),
      ...cloudOrder(shared.plans.get(channel.channel_id), device.owner_id),
      ...analysisOrders(shared.tasks.get(channel.channel_id), timeZone),
    })),
  };
}

function cloudOrder(plan: CloudPlanRow | undefined, ownerId: string): Pick<ChannelAssignment, 'cloud'> {
  // Pictures are the server's own.
  if (plan === undefined || plan.combo_type === CLOUD_COMBO.picture) return {};
  const { store_id: storeId, combo_type: comboType, days } = plan;
  return { cloud: { storeId, ownerId, comboType, days } };
}

function recordOrder(channel: ChannelRow, retentionDays: number, timeZone: string): ChannelAssignment['record'] {
  const quality = channel.record_quality;
  if (quality !== 0 && quality !== 1 && quality !== 2) return null;
  const stored = channel.record_plan;
  if (stored === null) return { quality, retentionDays, fillsGaps: true };
  const { plan, holidayList, preRoll, secondStream, quotaBytes, fillsGaps } = stored;
  return {
    quality,
    retentionDays: stored.retentionDays ?? retentionDays,
    secondStream,
    quotaBytes,
    fillsGaps: fillsGaps ?? true,
    ...emptyOrder(stored),
    preRollS: preRoll,
    plan: { days: plan, holidays: holidayList, timeZone },
  } satisfies RecordOrder;
}

function emptyOrder({ emptyRetention }: StoredRecordPlan): Pick<RecordOrder, 'empty'> {
  return emptyRetention ? { empty: { classes: emptyRetention.classList, days: emptyRetention.days } } : {};
}
