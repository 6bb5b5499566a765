// What a channel's assignment says of its tasks of edge intelligence.
import type { AnalysisOrder } from '@vedette/contract/site/site-analysis.ts';
import type { ChannelAssignment } from '@vedette/contract/site/site.ts';
import type { AnalysisTaskRow } from '../database/schema/analysis-schema.ts';

/** What the site is told of a task. */
export type OrderedTask = Omit<AnalysisTaskRow, 'channel_id' | 'task_name' | 'is_enabled' | 'version' | 'created_at'>;

/** `timeZone`: in which plans are read. */
export function analysisOrders(
  tasks: readonly AnalysisTaskRow[] | undefined,
  timeZone: string,
): Pick<ChannelAssignment, 'analysis'> {
  return tasks === undefined ? {} : { analysis: tasks.map((task) => orderOf(task, timeZone)) };
}

export function orderOf(task: OrderedTask, timeZone: string): AnalysisOrder {
  const [low = 0, middle = 0, high = 0] = task.density_levels;
  return {
    taskId: task.task_id,
    algorithm: task.algorithm,
    // Colours are for the editor.
    regions: task.regions.map(({ regionId, regionName, kind, points, direction }) => ({
      regionId,
      regionName,
      kind,
      points,
      direction,
    })),
    classes: task.classes,
    threshold: task.threshold,
    minHeight: task.min_height,
    maxHeight: task.max_height,
    dwellS: task.dwell_s,
    densityLevels: [low, middle, high],
    ...(task.model !== null && { model: task.model }),
    ...(task.plan && { plan: { days: task.plan, holidays: task.holidays, timeZone } }),
  };
}
