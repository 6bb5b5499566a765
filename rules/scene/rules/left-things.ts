// What can be left behind or taken away, and whether somebody is at it.
import type { ObjectClass } from '@vedette/contract/enumerations.ts';
import { footOf } from './region-geometry.ts';
import type { TaskTrack, TaskView } from './region-rule.ts';
import type { Track } from '../tracking/track.ts';
import { isThere, type ZoneStay } from './zone-presence.ts';

const THINGS: ReadonlySet<ObjectClass> = new Set(['bag', 'vehicle', 'bicycle']);
/** Heights of a person between the feet and what belongs to the person. */
const WITHIN_HEIGHTS = 1;

/** Wanted things that stand in the zone now. People and animals go by themselves. */
export function thingsIn(stays: readonly ZoneStay[]): TaskTrack[] {
  return stays
    .filter(({ isInside, track }) => isInside && track.isWanted && isThere(track) && THINGS.has(track.objectClass))
    .map(({ track }) => track);
}

export function isAttended({ box }: Track, { people, aspect }: TaskView): boolean {
  const place = footOf(box);
  return people.some((person) => {
    const feet = footOf(person.box);
    const away = Math.hypot((feet.x - place.x) * aspect, feet.y - place.y);
    return away <= WITHIN_HEIGHTS * person.box.height;
  });
}
