// One task of edge intelligence on one channel: its filter, and a rule for each of its regions.
import type { AnalysisOrder } from '@vedette/contract/site/site-analysis.ts';
import type { RegionRule, TaskView } from './rules/region-rule.ts';
import { regionRule } from './rules/rule-table.ts';
import { RegionEvents, type SceneEvent } from './rules/scene-event.ts';
import { taskFilter } from './rules/task-filter.ts';
import type { Track } from './tracking/track.ts';

export type SceneView = Pick<TaskView, 'atMs' | 'aspect' | 'people' | 'isAnew'> & { readonly tracks: readonly Track[] };

export class SceneTask {
  readonly #filter: ReturnType<typeof taskFilter>;
  readonly #regions: readonly { readonly rule: RegionRule; readonly events: RegionEvents }[];

  constructor(order: AnalysisOrder) {
    this.#filter = taskFilter(order);
    this.#regions = order.regions.flatMap((region) => {
      const events = new RegionEvents(order.taskId, region.regionId);
      const rule = regionRule(region, { order, events });
      return rule === null ? [] : [{ rule, events }];
    });
  }

  get isWaiting(): boolean {
    return this.#regions.some(({ rule }) => rule.isWaiting);
  }

  step(view: SceneView): SceneEvent[] {
    const tracks = this.#filter(view.tracks, view.aspect);
    return this.#regions.flatMap(({ rule, events }) => {
      rule.step({ ...view, tracks });
      return events.take();
    });
  }

  end(atMs: number): SceneEvent[] {
    return this.#regions.flatMap(({ events }) => {
      events.endAll(atMs);
      return events.take();
    });
  }
}
