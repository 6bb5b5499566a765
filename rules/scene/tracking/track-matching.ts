// Which detection shows which track: pairs by overlap and distance from the expected place, the best pair first.
import type { ObjectClass } from '@vedette/contract/enumerations.ts';
import { iou, type Box, type Detection } from '../detection/detection.ts';
import type { FollowedTrack, TrackMoment } from './track.ts';

/** Sizes a second by which an object may miss its expected place: a person walks 0.8 of its height, a car drives more than two lengths. */
const REACH: Readonly<Record<ObjectClass, number>> = { person: 0.9, bag: 0.9, bicycle: 2.5, animal: 2, vehicle: 2.5 };
/** Sizes by which boxes jitter. */
const JITTER = 0.35;
/** A track seen once has no velocity yet. */
const UNKNOWN_VELOCITY = 1.3;
const KNOWN_VELOCITY = 0.8;
const REACH_S_MAX = 3;
const HEIGHT_RATIO_MAX = 1.9;
const IOU_MIN = 0.05;

interface Pair {
  readonly cost: number;
  readonly track: FollowedTrack;
  readonly detection: Detection;
}

export interface Matching {
  readonly matched: readonly Pair[];
  readonly tracks: readonly FollowedTrack[];
  readonly detections: readonly Detection[];
}

/** Pairs each track with at most one detection; `tracks` and `detections` of the answer are those without one. */
export function matchTracks(
  tracks: readonly FollowedTrack[],
  detections: readonly Detection[],
  moment: TrackMoment,
): Matching {
  // Sorting is stable and both lists have a fixed order, so equal costs do not depend on chance.
  const pairs = tracks.flatMap((track) => possiblePairs(track, detections, moment)).sort((a, b) => a.cost - b.cost);
  const [taken, shown] = [new Set<FollowedTrack>(), new Set<Detection>()];
  const matched = pairs.filter(({ track, detection }) => {
    if (taken.has(track) || shown.has(detection)) return false;
    taken.add(track);
    shown.add(detection);
    return true;
  });
  return {
    matched,
    tracks: tracks.filter((track) => !taken.has(track)),
    detections: detections.filter((detection) => !shown.has(detection)),
  };
}

function possiblePairs(track: FollowedTrack, detections: readonly Detection[], { atMs, aspect }: TrackMoment): Pair[] {
  const expected = track.expectedBox(atMs);
  const seconds = Math.min(REACH_S_MAX, (atMs - track.seenMs) / 1000);
  const certainty = track.isConfirmed ? KNOWN_VELOCITY : UNKNOWN_VELOCITY;
  const reach = JITTER + REACH[track.objectClass] * certainty * seconds;
  const pairs: Pair[] = [];
  for (const detection of detections) {
    if (detection.objectClass !== track.objectClass) continue;
    const cost = costOf(expected, detection.box, { reach, aspect });
    if (cost !== null) pairs.push({ cost, track, detection });
  }
  return pairs;
}

/** 0: the same box, 1: the worst that is possible; null: another object. */
function costOf(
  expected: Box,
  seen: Box,
  { reach, aspect }: { readonly reach: number; readonly aspect: number },
): number | null {
  const ratio = expected.height / seen.height;
  if (Math.max(ratio, 1 / ratio) > HEIGHT_RATIO_MAX) return null;
  const size = Math.max(expected.height, seen.height, expected.width * aspect, seen.width * aspect);
  const across = (seen.x + seen.width / 2 - expected.x - expected.width / 2) * aspect;
  const down = seen.y + seen.height / 2 - expected.y - expected.height / 2;
  const distance = Math.sqrt(across * across + down * down) / size;
  // Boxes whose centres are further apart than the larger one's sides do not overlap.
  const overlap = distance > Math.SQRT2 ? 0 : iou(expected, seen);
  if (overlap < IOU_MIN && distance > reach) return null;
  return (1 - overlap) / 2 + Math.min(1, distance / reach) / 2;
}
