// Intrusion: one alarm of a zone while at least one object that has moved is in it.
import type { SceneZone } from './region-geometry.ts';
import type { RegionRule, RuleSetting, TaskView } from './region-rule.ts';
import { isThere, ZonePresence } from './zone-presence.ts';

/** After the last object was in the zone. */
const ENDS_AFTER_MS = 2000;
const ABOUT = 'zone';

export class IntrusionRule implements RegionRule {
  readonly #presence: ZonePresence;
  readonly #events: RuleSetting['events'];
  #lastMs = 0;
  #isAtRest = false;

  constructor(zone: SceneZone, { events }: RuleSetting) {
    this.#presence = new ZonePresence(zone);
    this.#events = events;
  }

  get isWaiting(): boolean {
    return this.#events.isOpen(ABOUT) && !this.#isAtRest;
  }

  step(view: TaskView): void {
    const inside = this.#presence
      .step(view)
      .filter(({ isInside, track }) => isInside && track.isWanted && track.hasMoved && isThere(track))
      .map(({ track }) => track);
    this.#isAtRest = inside.some(({ isStationary }) => isStationary);
    const [best] = inside.toSorted((one, other) => other.medianScore - one.medianScore || one.trackId - other.trackId);
    if (best !== undefined) {
      this.#lastMs = view.atMs;
      this.#events.start(ABOUT, { type: 'IntrusionAlarm', atMs: view.atMs, track: best });
    } else if (view.atMs - this.#lastMs >= ENDS_AFTER_MS) {
      this.#events.end(ABOUT, view.atMs);
    }
  }
}
