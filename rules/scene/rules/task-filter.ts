// Which tracks a task of edge intelligence is about: by class, score, height and masks.
import type { AnalysisOrder } from '@vedette/contract/site/site-analysis.ts';
import { footOf, zoneOf } from './region-geometry.ts';
import type { TaskTrack } from './region-rule.ts';
import type { Track } from '../tracking/track.ts';

/** LM-08's unit, 1 to 100, as the least median score of a track: 0.405 to 0.9. */
const LEAST_SCORE = 0.4;
const THRESHOLDS = 200;

/** Gives the tracks of the task's classes, each with whether it is wanted. */
export function taskFilter(order: AnalysisOrder): (tracks: readonly Track[], aspect: number) => TaskTrack[] {
  const masks = order.regions.flatMap(({ kind, points }) => (kind === 'mask' ? (zoneOf(points) ?? []) : []));
  const leastScore = LEAST_SCORE + order.threshold / THRESHOLDS;
  const isWanted = ({ isConfirmed, medianScore, box }: Track, aspect: number) =>
    isConfirmed &&
    medianScore >= leastScore &&
    box.height >= order.minHeight &&
    box.height <= order.maxHeight &&
    !masks.some((mask) => mask.depth(footOf(box), aspect) >= 0);
  return (tracks, aspect) =>
    tracks
      .filter(({ objectClass }) => order.classes.includes(objectClass))
      .map((track) => ({ ...track, isWanted: isWanted(track, aspect) }));
}
