// Counting at a line: how many objects went in and out since the task began, told at each passage.
import type { SceneRegion } from '@vedette/contract/site/site-analysis.ts';
import { isWantedWay } from './line-crossing-rule.ts';
import { LinePassages } from './line-passages.ts';
import type { SceneLine } from './region-geometry.ts';
import type { RegionRule, RuleSetting, TaskView } from './region-rule.ts';

export class CountingRule implements RegionRule {
  readonly isWaiting = false;
  readonly #passages: LinePassages;
  readonly #wanted: SceneRegion['direction'];
  readonly #events: RuleSetting['events'];
  #count = { in: 0, out: 0 };

  constructor(line: SceneLine, { direction }: SceneRegion, { events }: RuleSetting) {
    this.#passages = new LinePassages(line);
    this.#wanted = direction;
    this.#events = events;
  }

  step(view: TaskView): void {
    for (const { track, direction } of this.#passages.step(view).filter((one) => isWantedWay(one, this.#wanted))) {
      const count = { ...this.#count, [direction]: this.#count[direction] + 1 };
      this.#count = count;
      this.#events.pulse(track.trackId, { type: 'PeopleCount', atMs: view.atMs, track, direction, count });
    }
  }
}
