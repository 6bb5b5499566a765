// Entrance and exit: an instant alarm for each object that was seen on one side of a zone's edge and then on the other.
import type { SceneZone } from './region-geometry.ts';
import type { RegionRule, RuleSetting, TaskView } from './region-rule.ts';
import { ZonePresence } from './zone-presence.ts';

export class ZoneEdgeRule implements RegionRule {
  readonly isWaiting = false;
  readonly #presence: ZonePresence;
  readonly #isEntrance: boolean;
  readonly #events: RuleSetting['events'];

  constructor(zone: SceneZone, { order, events }: RuleSetting) {
    this.#presence = new ZonePresence(zone);
    this.#isEntrance = order.algorithm === 'entrance';
    this.#events = events;
  }

  step(view: TaskView): void {
    const type = this.#isEntrance ? 'RegionEntrance' : 'RegionExiting';
    for (const { track, isInside, hasChanged } of this.#presence.step(view)) {
      if (!hasChanged || isInside !== this.#isEntrance || !track.isWanted) continue;
      this.#events.pulse(track.trackId, { type, atMs: view.atMs, track });
    }
  }
}
