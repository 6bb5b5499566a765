// Handlers of ai/task/*: what edge intelligence watches for on which channel, and how that goes.
import type { AnalysisTask } from '@vedette/contract/calls/analysis.ts';
import type { CallParsed } from '@vedette/contract/calls/calls.ts';
import { newId } from '@vedette/foundation/random/ids.ts';
import { sql, type SqlBool } from 'kysely';
import type { AuthorizedDevice } from '../../auth/authorize.ts';
import type { Rights } from '../../auth/rights.ts';
import { visibleChannels } from '../../auth/visibility-conditions.ts';
import { CallError, requireFound } from '../../core/call-error.ts';
import type { Database } from '../../database/connection.ts';
import { findChannel } from '../../database/device/channel.queries.ts';
import {
  type AnalysisTaskColumns,
  countTasksOfChannel,
  deleteAnalysisTask,
  hasAnalysisTask,
  insertAnalysisTask,
  listAnalysisTasks,
  type PlacedAnalysisTask,
  shareModel,
  updateAnalysisTask,
} from '../../database/media/analysis-task.queries.ts';
import type { Handlers } from '../../http/handler.ts';
import { refuseItemOverLimit, withinQuota } from '../../quota/reserve-quota.ts';
import type { AssignmentSync } from '../../site-link/assignment-sync.ts';
import type { SitesPort } from '../../site-link/site-port.ts';
import { refuseBadScene, sceneColumns } from './task-scene.ts';
import { analysisOfSites, type SiteAnalysis } from './site-analysis.ts';

export interface AnalysisTaskDeps {
  readonly database: Database;
  readonly site: SitesPort;
  readonly assignmentSync: AssignmentSync;
}

type TaskPath = 'ai/task/list' | 'ai/task/save' | 'ai/task/delete';

export function analysisTaskHandlers(deps: AnalysisTaskDeps): Handlers<TaskPath> {
  const { database, assignmentSync } = deps;
  return {
    'ai/task/list': async ({ rights }) => {
      const taskList = await tasksOf(deps, await rights());
      return { total: taskList.length, taskList };
    },
    'ai/task/save': async ({ input, device, rights, now }) => {
      refuseBadScene(input);
      const channelId = await channelIdOf(database, device, input.channelNo);
      const { taskId, isDone } = await write(database, device, { input, channelId, now });
      if (isDone) await assignmentSync.deviceChanged(device.deviceId, device.deviceSerial);
      const tasks = await tasksOf(deps, await rights());
      const task = requireFound(
        tasks.find((one) => one.taskId === taskId),
        'notFound',
      );
      if (!isDone) throw new CallError('stale', task);
      return { task };
    },
    'ai/task/delete': async ({ input, device }) => {
      const channelId = await channelIdOf(database, device, input.channelNo);
      const isGone = await deleteAnalysisTask(database, { taskId: input.taskId, channelId });
      if (!isGone) throw new CallError('notFound');
      await assignmentSync.deviceChanged(device.deviceId, device.deviceSerial);
      return {};
    },
  };
}

async function channelIdOf(database: Database, device: AuthorizedDevice, channelNo: number): Promise<string> {
  return requireFound(await findChannel(database, device.deviceId, channelNo), 'devNotExist').channel_id;
}

interface WriteOrder {
  readonly input: CallParsed<'ai/task/save'>;
  readonly channelId: string;
  readonly now: number;
}

/** Not done: the task has a newer version. Throws 1007 and 1011. */
async function write(
  database: Database,
  device: AuthorizedDevice,
  { input, channelId, now }: WriteOrder,
): Promise<{ readonly taskId: string; readonly isDone: boolean }> {
  const columns = columnsOf(input);
  const { taskId, version } = input;
  if (taskId !== undefined && version !== undefined) {
    const named = { taskId, channelId };
    if (!(await hasAnalysisTask(database, named))) throw new CallError('notFound');
    const isDone = await updateAnalysisTask(database, { ...named, version }, columns);
    if (isDone) await shareModel(database, channelId, columns.model);
    return { taskId, isDone };
  }
  const added = newId();
  const use = { accountId: device.ownerId, now, take: { analysisTasks: 1 } };
  await withinQuota(database, use, async (transaction) => {
    const held = await countTasksOfChannel(transaction, channelId);
    await refuseItemOverLimit(transaction, device.ownerId, 'analysisTasksPerChannel', held + 1);
    await insertAnalysisTask(transaction, { taskId: added, channelId, columns, now });
    await shareModel(transaction, channelId, columns.model);
  });
  return { taskId: added, isDone: true };
}

function columnsOf(input: CallParsed<'ai/task/save'>): AnalysisTaskColumns {
  return { ...sceneColumns(input), task_name: input.taskName.trim(), is_enabled: input.isEnabled };
}

/** Of channels that may be watched or configured. */
async function tasksOf({ database, site }: AnalysisTaskDeps, rights: Rights): Promise<AnalysisTask[]> {
  const editable = visibleChannels(rights, 'Config');
  const visible = sql<SqlBool>`(${editable} or ${visibleChannels(rights, 'Realplay')})`;
  const rows = await listAnalysisTasks(database, { visible, editable });
  const sites = await analysisOfSites(
    site,
    rows.map((row) => row.site_id),
  );
  return rows.map((row) => ({ ...settingsOf(row), ...stateOf(row, sites.get(row.site_id)) }));
}

type SiteFigures = Pick<AnalysisTask, 'siteState' | 'hasModel' | 'isActive' | 'picturesPerS' | 'dropped'>;

function settingsOf(row: PlacedAnalysisTask): Omit<AnalysisTask, keyof SiteFigures> {
  const [low = 0, middle = 0, high = 0] = row.density_levels;
  return {
    taskId: row.task_id,
    taskName: row.task_name,
    deviceSerial: row.device_serial,
    deviceName: row.device_name,
    channelNo: row.channel_no,
    channelName: row.channel_name,
    algorithm: row.algorithm,
    regionList: row.regions,
    classList: row.classes,
    threshold: row.threshold,
    minHeight: row.min_height,
    maxHeight: row.max_height,
    dwellS: row.dwell_s,
    densityLevels: [low, middle, high],
    plan: row.plan,
    holidayList: row.holidays,
    model: row.model,
    isEnabled: row.is_enabled,
    isEditable: row.is_editable,
    siteName: row.site_name,
    version: row.version,
    createTime: row.created_at,
  };
}

function stateOf(row: PlacedAnalysisTask, site: SiteAnalysis | undefined): SiteFigures {
  const channel = site?.status?.channels.find(({ channelId }) => channelId === row.channel_id);
  const siteState = site?.state ?? 'away';
  if (channel === undefined) return { siteState, hasModel: true, isActive: false, picturesPerS: 0, dropped: 0 };
  const { hasModel = true, isActive, picturesPerS } = channel;
  const dropped = Object.values(channel.dropped).reduce((sum, count) => sum + count, 0);
  return { siteState, hasModel, isActive, picturesPerS, dropped };
}
