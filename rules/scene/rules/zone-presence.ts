// Which tracks stand in a zone and since when, without flicker at its edges.
import { footOf, hysteresisOf, type SceneZone } from './region-geometry.ts';
import type { TaskTrack, TaskView } from './region-rule.ts';

export interface ZoneStay {
  readonly track: TaskTrack;
  readonly isInside: boolean;
  /** Since when it is inside or outside, ms. */
  readonly sinceMs: number;
  /** It was on the other side before, and went over in this frame. */
  readonly hasChanged: boolean;
}

/** Of a zone's breadth: in a narrow one the hysteresis of a large object would leave no room. */
const HYSTERESIS_SHARE = 0.25;

export class ZonePresence {
  readonly #zone: SceneZone;
  #stays = new Map<number, ZoneStay>();

  constructor(zone: SceneZone) {
    this.#zone = zone;
  }

  /** Tracks of the frame that were ever clear of the edges; one that is not seen stays where it was. */
  step({ tracks, aspect }: TaskView): ZoneStay[] {
    const stays = new Map<number, ZoneStay>();
    for (const track of tracks) {
      const stay = this.#stayOf(track, aspect);
      if (stay !== null) stays.set(track.trackId, stay);
    }
    this.#stays = stays;
    return [...stays.values()];
  }

  #stayOf(track: TaskTrack, aspect: number): ZoneStay | null {
    const before = this.#stays.get(track.trackId);
    const isInside = track.isSeen ? this.#isInside(track, aspect) : null;
    if (before === undefined) {
      return isInside === null ? null : { track, isInside, sinceMs: track.seenMs, hasChanged: false };
    }
    // What has not moved stays on its side, whatever its box does.
    const isSame = isInside === null || isInside === before.isInside || !track.hasMoved;
    if (isSame) return { ...before, track, hasChanged: false };
    return { track, isInside, sinceMs: track.seenMs, hasChanged: true };
  }

  /** Null: too near to an edge to say. */
  #isInside({ box }: TaskTrack, aspect: number): boolean | null {
    const depth = this.#zone.depth(footOf(box), aspect);
    const hysteresis = Math.min(hysteresisOf(box), this.#zone.breadth * HYSTERESIS_SHARE);
    return Math.abs(depth) < hysteresis ? null : depth > 0;
  }
}

/** Whether it counts as being there: seen, or at rest and not missed for long. */
export function isThere({ isSeen, isStationary }: TaskTrack): boolean {
  return isSeen || isStationary;
}
