// Where objects are left out of sightings: what stands in a mask of every task that is about its class.
import type { ObjectClass } from '@vedette/contract/enumerations.ts';
import type { AnalysisOrder } from '@vedette/contract/site/site-analysis.ts';
import { footOf, type SceneZone, zoneOf } from '../rules/region-geometry.ts';
import type { Track } from '../tracking/track.ts';

interface MaskedTask {
  readonly classes: readonly ObjectClass[];
  readonly masks: readonly SceneZone[];
}

/** Whether an object is told of where it stands now, `aspect`: width over height of the frame. */
export function unmaskedPlaces(
  orders: readonly AnalysisOrder[],
): (track: Pick<Track, 'objectClass' | 'box'>, aspect: number) => boolean {
  const tasks = orders.map(maskedTask);
  return ({ objectClass, box }, aspect) =>
    tasks.some(
      ({ classes, masks }) =>
        classes.includes(objectClass) && !masks.some((mask) => mask.depth(footOf(box), aspect) >= 0),
    );
}

function maskedTask({ algorithm, classes, regions }: AnalysisOrder): MaskedTask {
  return {
    // A bag is left where no person is at it, so people are followed too.
    classes: algorithm === 'objectLeft' ? [...classes, 'person'] : classes,
    masks: regions.flatMap(({ kind, points }) => (kind === 'mask' ? (zoneOf(points) ?? []) : [])),
  };
}
