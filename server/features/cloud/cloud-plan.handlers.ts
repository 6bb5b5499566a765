// Handlers of cloud/plan/* and cloud/combo/list: which channels copy their recordings or snapshots into which object store, and how far behind that is.
import type { CloudPlan } from '@vedette/contract/calls/cloud.ts';
import { CLOUD_COMBO } from '@vedette/contract/enumerations.ts';
import { CLOUD_LIMITS } from '@vedette/contract/limits.ts';
import type { CloudBacklog } from '@vedette/contract/site/site-cloud.ts';
import { DAY_MS } from '@vedette/foundation/units/durations.ts';
import type { RawBuilder, SqlBool } from 'kysely';
import type { SnapshotCopies } from '../../alarm-snapshot/snapshot-copies.ts';
import type { AuthorizedDevice } from '../../auth/authorize.ts';
import { visibleChannels } from '../../auth/visibility-conditions.ts';
import { CallError, requireFound } from '../../core/call-error.ts';
import type { Database } from '../../database/connection.ts';
import { findChannel } from '../../database/device/channel.queries.ts';
import {
  deleteCloudPlan,
  listCloudPlans,
  listObjectStores,
  replaceCloudPlan,
} from '../../database/media/cloud.queries.ts';
import { snapshotBacklogs, snapshotBytesSince, storedSnapshots } from '../../database/media/snapshot-copy.queries.ts';
import type { Handlers } from '../../http/handler.ts';
import type { AssignmentSync } from '../../site-link/assignment-sync.ts';
import type { SitesPort } from '../../site-link/site-port.ts';

export interface CloudPlanDeps {
  readonly database: Database;
  readonly site: SitesPort;
  readonly assignmentSync: AssignmentSync;
  readonly snapshotCopies: Pick<SnapshotCopies, 'reasonOf' | 'start'>;
}

type PlanPath = 'cloud/combo/list' | 'cloud/plan/list' | 'cloud/plan/estimate' | 'cloud/plan/open' | 'cloud/plan/close';

export function cloudPlanHandlers(deps: CloudPlanDeps): Handlers<PlanPath> {
  const { database, assignmentSync } = deps;
  return {
    'cloud/combo/list': async () => {
      const comboList = Object.values(CLOUD_COMBO).map((comboType) => ({ comboType, mostDays: CLOUD_LIMITS.days }));
      const storeList = (await listObjectStores(database)).map(
        ({ store_id: storeId, store_name: storeName, is_default: isDefault }) => ({ storeId, storeName, isDefault }),
      );
      return { comboList, storeList };
    },
    'cloud/plan/list': async ({ rights, now }) => {
      const planList = await plansOf(deps, visibleChannels(await rights(), 'Replay'), now);
      return { total: planList.length, planList };
    },
    'cloud/plan/estimate': async ({ input, device, now }) => {
      const bytesPerDay = await bytesPerDayOf(deps, device, { ...input, now });
      return { bytesPerDay, bytes: bytesPerDay === null ? null : bytesPerDay * input.days };
    },
    'cloud/plan/open': async ({ input, device, now }) => {
      const stores = await listObjectStores(database);
      const isChosen = ({ store_id: storeId, is_default: isDefault }: (typeof stores)[number]) =>
        input.storeId === undefined ? isDefault : storeId === input.storeId;
      const store = requireFound(stores.find(isChosen), 'notFound');
      await replaceCloudPlan(database, {
        channel_id: await channelIdOf(database, device, input.channelNo),
        store_id: store.store_id,
        combo_type: input.comboType,
        days: input.days,
        created_at: now,
      });
      await assignmentSync.settingsChanged();
      await assignmentSync.deviceChanged(device.deviceId, device.deviceSerial);
      if (input.comboType === CLOUD_COMBO.picture) deps.snapshotCopies.start();
      return {};
    },
    'cloud/plan/close': async ({ input, device }) => {
      const isGone = await deleteCloudPlan(database, await channelIdOf(database, device, input.channelNo));
      if (!isGone) throw new CallError('notFound');
      await assignmentSync.deviceChanged(device.deviceId, device.deviceSerial);
      return {};
    },
  };
}

async function plansOf(deps: CloudPlanDeps, visible: RawBuilder<SqlBool>, now: number): Promise<CloudPlan[]> {
  const rows = await listCloudPlans(deps.database, visible);
  const ofSnapshots = rows.filter((row) => row.combo_type === CLOUD_COMBO.picture);
  const ofSites = rows.filter((row) => row.combo_type !== CLOUD_COMBO.picture).map((row) => row.site_id);
  const backlogs = new Map([
    ...(await backlogsOf(deps.site, ofSites)),
    ...(await snapshotBacklogsOf(deps, ofSnapshots, now)),
  ]);
  return rows.map((row) => {
    const backlog = backlogs.get(row.channel_id);
    return {
      deviceSerial: row.device_serial,
      deviceName: row.device_name,
      channelNo: row.channel_no,
      channelName: row.channel_name,
      comboType: row.combo_type,
      days: row.days,
      storeId: row.store_id,
      storeName: row.store_name,
      createTime: row.created_at,
      isKnown: backlog !== undefined,
      ...figuresOf(backlog),
    };
  });
}

async function channelIdOf(database: Database, device: AuthorizedDevice, channelNo: number): Promise<string> {
  return requireFound(await findChannel(database, device.deviceId, channelNo), 'devNotExist').channel_id;
}

function figuresOf(backlog: CloudBacklog | undefined): Omit<CloudBacklog, 'channelId'> {
  const { waitingFiles = 0, waitingBytes = 0, waitingSince = null } = backlog ?? {};
  const { storedFiles = 0, storedBytes = 0, lostFiles = 0, reason = null } = backlog ?? {};
  return { waitingFiles, waitingBytes, waitingSince, storedFiles, storedBytes, lostFiles, reason };
}

/** By channel. */
async function snapshotBacklogsOf(
  { database, snapshotCopies }: CloudPlanDeps,
  plans: readonly { readonly channel_id: string; readonly site_id: string; readonly store_id: string }[],
  now: number,
): Promise<ReadonlyMap<string, CloudBacklog>> {
  if (plans.length === 0) return new Map();
  const [waiting, stored] = await Promise.all([snapshotBacklogs(database, now), storedSnapshots(database)]);
  return new Map(
    plans.map(({ channel_id: channelId, ...store }) => {
      const backlog = waiting.get(channelId);
      const { files = 0, bytes = 0 } = stored.get(channelId) ?? {};
      const { waitingFiles = 0, waitingBytes = 0, waitingSince = null } = backlog ?? {};
      const reason = backlog === undefined ? null : snapshotCopies.reasonOf(store);
      const held = { storedFiles: files, storedBytes: bytes, lostFiles: 0 };
      return [channelId, { channelId, waitingFiles, waitingBytes, waitingSince, ...held, reason }];
    }),
  );
}

/** By channel; nothing of a site that is away, or of an earlier version. */
async function backlogsOf(site: SitesPort, siteIds: readonly string[]): Promise<ReadonlyMap<string, CloudBacklog>> {
  const answers = await Promise.all(
    [...new Set(siteIds)].map(async (siteId) => {
      const one = site.at(siteId);
      if (!one.isOnline()) return [];
      try {
        return (await one.call('cloudBacklog', {})).channels;
      } catch (error) {
        if (error instanceof CallError) return [];
        throw error;
      }
    }),
  );
  return new Map(answers.flat().map((backlog) => [backlog.channelId, backlog]));
}

/** Of snapshots those of the last day. Of alarms alone, the share that they have in the time recorded. Null where nothing was measured. */
async function bytesPerDayOf(
  { database, site }: CloudPlanDeps,
  device: AuthorizedDevice,
  { channelNo, comboType, now }: { channelNo: number; comboType: number; now: number },
): Promise<number | null> {
  if (comboType === CLOUD_COMBO.picture) {
    return await snapshotBytesSince(database, { deviceId: device.deviceId, channelNo }, now - DAY_MS);
  }
  const channel = requireFound(await findChannel(database, device.deviceId, channelNo), 'devNotExist');
  const at = site.at(device.siteId);
  const { channels } = await at.call('storageUse', {});
  const whole = channels.find(({ channelId }) => channelId === channel.channel_id)?.bytesPerDay ?? null;
  if (whole === null || comboType === CLOUD_COMBO.continuousVideo) return whole;
  const quality = channel.record_quality === 1 || channel.record_quality === 2 ? channel.record_quality : 0;
  const range = { startTime: Math.max(0, now - DAY_MS), endTime: now };
  const { spans } = await at.call('recordings', { channelId: channel.channel_id, quality, ...range });
  const sum = (list: typeof spans) => list.reduce((ms, { startTime, endTime }) => ms + endTime - startTime, 0);
  const recordedMs = sum(spans);
  return recordedMs === 0 ? null : Math.round((whole * sum(spans.filter((one) => one.recordType === 2))) / recordedMs);
}
