// Loitering: an alarm for each object that stays in a zone for longer than the task allows.
import type { SceneZone } from './region-geometry.ts';
import type { RegionRule, RuleSetting, TaskView } from './region-rule.ts';
import { isThere, ZonePresence, type ZoneStay } from './zone-presence.ts';

/** Outside or unseen for less, an object has not left. */
const LEFT_AFTER_MS = 2000;

interface Visit {
  readonly sinceMs: number;
  readonly thereMs: number;
}

export class LoiteringRule implements RegionRule {
  readonly #presence: ZonePresence;
  readonly #dwellMs: number;
  readonly #events: RuleSetting['events'];
  readonly #visits = new Map<number, Visit>();
  #atMs = 0;

  constructor(zone: SceneZone, { order, events }: RuleSetting) {
    this.#presence = new ZonePresence(zone);
    this.#dwellMs = order.dwellS * 1000;
    this.#events = events;
  }

  get isWaiting(): boolean {
    return [...this.#visits].some(([id, { thereMs }]) => !this.#events.isOpen(id) || thereMs < this.#atMs);
  }

  step(view: TaskView): void {
    this.#atMs = view.atMs;
    if (view.isAnew) this.#visits.clear();
    for (const stay of this.#presence.step(view)) {
      const { isInside, track } = stay;
      if (isInside && track.isWanted && track.hasMoved && isThere(track)) this.#visit(stay);
    }
    for (const [trackId, { thereMs }] of this.#visits) {
      if (view.atMs - thereMs < LEFT_AFTER_MS) continue;
      this.#visits.delete(trackId);
      this.#events.end(trackId, view.atMs);
    }
  }

  #visit({ track, sinceMs }: ZoneStay): void {
    const since = this.#visits.get(track.trackId)?.sinceMs ?? sinceMs;
    this.#visits.set(track.trackId, { sinceMs: since, thereMs: this.#atMs });
    // An object that is not seen does not stay longer by that.
    if (track.seenMs - since < this.#dwellMs) return;
    this.#events.start(track.trackId, { type: 'LoiteringAlarm', atMs: this.#atMs, track });
  }
}
