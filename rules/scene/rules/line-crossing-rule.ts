// Line crossing: an instant alarm for each object that passes a line in the wanted direction.
import type { SceneRegion } from '@vedette/contract/site/site-analysis.ts';
import { LinePassages, type LinePassage } from './line-passages.ts';
import type { SceneLine } from './region-geometry.ts';
import type { RegionRule, RuleSetting, TaskView } from './region-rule.ts';

export class LineCrossingRule implements RegionRule {
  readonly isWaiting = false;
  readonly #passages: LinePassages;
  readonly #wanted: SceneRegion['direction'];
  readonly #events: RuleSetting['events'];

  constructor(line: SceneLine, { direction }: SceneRegion, { events }: RuleSetting) {
    this.#passages = new LinePassages(line);
    this.#wanted = direction;
    this.#events = events;
  }

  step(view: TaskView): void {
    for (const { track, direction } of this.#passages.step(view).filter((one) => isWantedWay(one, this.#wanted))) {
      this.#events.pulse(track.trackId, { type: 'LineDetectorCrossed', atMs: view.atMs, track, direction });
    }
  }
}

export function isWantedWay({ direction }: LinePassage, wanted: SceneRegion['direction']): boolean {
  return wanted === 'both' || wanted === direction;
}
