// Object removed: an instant alarm for each thing that stood in a zone for long and is gone.
import { thingsIn } from './left-things.ts';
import type { SceneZone } from './region-geometry.ts';
import type { RegionRule, RuleSetting, TaskTrack, TaskView } from './region-rule.ts';
import { ZonePresence } from './zone-presence.ts';

export class ObjectRemovedRule implements RegionRule {
  readonly #presence: ZonePresence;
  readonly #dwellMs: number;
  readonly #events: RuleSetting['events'];
  /** Things that stood long enough, as they stood. */
  readonly #kept = new Map<number, TaskTrack>();
  #isMissing = false;

  constructor(zone: SceneZone, { order, events }: RuleSetting) {
    this.#presence = new ZonePresence(zone);
    this.#dwellMs = order.dwellS * 1000;
    this.#events = events;
  }

  get isWaiting(): boolean {
    return this.#isMissing;
  }

  step(view: TaskView): void {
    if (view.isAnew) this.#kept.clear();
    const stays = this.#presence.step(view);
    const insideIds = new Set(stays.filter(({ isInside }) => isInside).map(({ track }) => track.trackId));
    for (const [trackId, track] of this.#kept) {
      // The track lives as long as something may only hide the thing.
      if (insideIds.has(trackId)) continue;
      this.#kept.delete(trackId);
      this.#events.pulse(trackId, { type: 'ObjectRemoved', atMs: view.atMs, track });
    }
    for (const track of thingsIn(stays)) {
      const isLong = track.isStationary && track.seenMs - track.restsSinceMs >= this.#dwellMs;
      if (isLong && track.isSeen) this.#kept.set(track.trackId, track);
    }
    this.#isMissing = stays.some(({ track }) => this.#kept.has(track.trackId) && !track.isSeen);
  }
}
