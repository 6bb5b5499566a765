// Builds the assignment of each device for its site from the database, with decrypted credentials.
import { CLOUD_COMBO } from '@vedette/contract/enumerations.ts';
import type { ChannelAssignment, DeviceAssignment, RecordOrder } from '@vedette/contract/site/site.ts';
import type { SecretBox } from '../core/secret-box.ts';
import type { Database } from '../database/connection.ts';
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
  const devices = await database
    .selectFrom('device')
    .selectAll()
    .where('site_id', '=', siteId)
    .orderBy('device_id')
    .execute();
  const channels = await database.selectFrom('channel').selectAll().orderBy('channel_no').execute();
  const byDevice = Map.groupBy(channels, (channel) => channel.device_id);
  const locks = byChannel(await allLocks(database));
  const plans = await cloudPlans(database);
  const tasks = await enabledTasks(database);
  const shared = { box, timeZone, locks, plans, tasks, retentionDays: await deps.retentionDays() };
  return devices.map((device) => toAssignment(shared, device, byDevice.get(device.device_id) ?? []));
}

/** null where the device is gone. */
export async function oneAssignment(
  deps: AssignmentDeps,
  deviceId: string,
): Promise<{ siteId: string; assignment: DeviceAssignment } | null> {
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
  return { siteId: device.site_id, assignment: toAssignment(shared, device, channels) };
}

function byChannel(locks: readonly (TimeRange & { channelId: string })[]): Map<string, TimeRange[]> {
  const found = Map.groupBy(locks, (lock) => lock.channelId);
  return new Map(
    [...found].map(([channelId, list]) => [channelId, list.map(({ startTime, endTime }) => ({ startTime, endTime }))]),
  );
}

function toAssignment(shared: Shared, device: DeviceRow, channels: readonly ChannelRow[]): DeviceAssignment {
  const { user, password, native } = openSecrets(shared.box, device);
  const timeZone = device.time_zone ?? shared.timeZone;
  return {
    deviceSerial: device.device_serial,
    driver: device.driver,
    native,
    user,
    password,
    isOperatorAddress: device.is_operator_address,
    channels: channels.map((channel) => ({
      channelNo: channel.channel_no,
      channelId: channel.channel_id,
      record: recordOrder(channel, shared.retentionDays, timeZone),
      locks: shared.locks.get(channel.channel_id) ?? [],
      backfillFrom: channel.backfill_from,
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
