// Object left: an alarm for each thing that was brought into a zone and stands there with nobody at it.
import { isAttended, thingsIn } from './left-things.ts';
import type { SceneZone } from './region-geometry.ts';
import type { RegionRule, RuleSetting, TaskTrack, TaskView } from './region-rule.ts';
import { ZonePresence } from './zone-presence.ts';

/** A person may be missed in a frame or two. */
const ALONE_MS = 2000;

export class ObjectLeftRule implements RegionRule {
  readonly #presence: ZonePresence;
  readonly #dwellMs: number;
  readonly #events: RuleSetting['events'];
  /** Things that were brought, with the time since when nobody is at them; null: somebody is. */
  #brought = new Map<number, number | null>();

  constructor(zone: SceneZone, { order, events }: RuleSetting) {
    this.#presence = new ZonePresence(zone);
    this.#dwellMs = order.dwellS * 1000;
    this.#events = events;
  }

  get isWaiting(): boolean {
    return [...this.#brought.keys()].some((trackId) => !this.#events.isOpen(trackId));
  }

  step(view: TaskView): void {
    const things = thingsIn(this.#presence.step(view)).filter((track) => !track.isBackground);
    const brought = new Map(things.map((track) => [track.trackId, this.#aloneSince(track, view)]));
    for (const trackId of this.#brought.keys()) if (!brought.has(trackId)) this.#events.end(trackId, view.atMs);
    this.#brought = brought;
    for (const track of things) this.#judge(track, view.atMs);
  }

  #aloneSince(track: TaskTrack, view: TaskView): number | null {
    return isAttended(track, view) ? null : (this.#brought.get(track.trackId) ?? view.atMs);
  }

  #judge(track: TaskTrack, atMs: number): void {
    const restsMs = track.seenMs - track.restsSinceMs;
    const aloneSince = this.#brought.get(track.trackId) ?? null;
    if (!track.isStationary) this.#events.end(track.trackId, atMs);
    else if (aloneSince !== null && atMs - aloneSince >= ALONE_MS && restsMs >= this.#dwellMs) {
      this.#events.start(track.trackId, { type: 'ObjectLeft', atMs, track });
    }
  }
}
