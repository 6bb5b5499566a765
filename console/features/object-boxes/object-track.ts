// One object that was followed: where it was at any time between its samples, and where it came from. Pure.
import type { ObjectClass } from '@vedette/contract/enumerations.ts';

/** In shares of the picture, from its top left corner. */
export type SampleBox = readonly [x: number, y: number, width: number, height: number];

export interface TrackSample {
  /** Capture time, ms. */
  readonly at: number;
  readonly box: SampleBox;
}

export interface ObjectTrack {
  readonly objectClass: ObjectClass;
  /** 0 to 1. */
  readonly score: number;
  /** Ascending, never empty. */
  readonly samples: readonly TrackSample[];
}

export interface ShownObject extends Pick<ObjectTrack, 'objectClass' | 'score'> {
  readonly box: SampleBox;
  /** Where its foot was in the seconds before, the oldest first, ending where it is. */
  readonly trail: readonly (readonly [x: number, y: number])[];
}

const TRAIL_MS = 2000;

/** The object at a time from its first to its last sample; later, where it was seen last. */
export function objectAt({ objectClass, score, samples }: ObjectTrack, at: number): ShownObject {
  const box = boxAt(samples, at);
  const before = samples.filter((sample) => sample.at > at - TRAIL_MS && sample.at < at).map((sample) => sample.box);
  const first = samples[0];
  const start = first !== undefined && first.at < at - TRAIL_MS ? [boxAt(samples, at - TRAIL_MS)] : [];
  return { objectClass, score, box, trail: [...start, ...before, box].map(footOf) };
}

/** In a straight line from one sample to the next. */
function boxAt(samples: readonly TrackSample[], at: number): SampleBox {
  const after = samples.findIndex((sample) => sample.at > at);
  const [from, to] = [samples.at(after === -1 ? -1 : Math.max(0, after - 1)), samples.at(after)];
  if (from === undefined || to === undefined) throw new RangeError('a track has a sample');
  if (after <= 0) return (after === 0 ? to : from).box;
  const share = (at - from.at) / (to.at - from.at);
  const [x, y, width, height] = from.box;
  const [nextX, nextY, nextWidth, nextHeight] = to.box;
  const between = (one: number, other: number): number => one + (other - one) * share;
  return [between(x, nextX), between(y, nextY), between(width, nextWidth), between(height, nextHeight)];
}

function footOf([x, y, width, height]: SampleBox): readonly [number, number] {
  return [x + width / 2, y + height];
}
