// Orders of made scenes: one task with one region, and the scene run over frames.
import type { AnalysisAlgorithm } from '@vedette/contract/enumerations.ts';
import type { AnalysisOrder, SceneRegion } from '@vedette/contract/site/site-analysis.ts';
import type { SceneEvent } from './rules/scene-event.ts';
import { Scene } from './scene.ts';
import type { SceneFrame } from './tracking/tracker.ts';

type Place = readonly [x: number, y: number];

/** From the top to the bottom of the frame: its right is the left of the frame. */
export const MIDDLE: readonly Place[] = [
  [0.5, 0.1],
  [0.5, 0.95],
];
export const SQUARE: readonly Place[] = [
  [0.3, 0.4],
  [0.7, 0.4],
  [0.7, 0.9],
  [0.3, 0.9],
];

export function region(
  kind: SceneRegion['kind'],
  points: readonly Place[],
  over: Partial<SceneRegion> = {},
): SceneRegion {
  const at = points.map(([x, y]) => ({ x, y }));
  return { regionId: 'r1', regionName: 'Gate', kind, points: at, direction: 'both', ...over };
}

export function order(
  algorithm: AnalysisAlgorithm,
  regions: readonly SceneRegion[],
  over: Partial<AnalysisOrder> = {},
): AnalysisOrder {
  return {
    taskId: algorithm,
    algorithm,
    regions,
    classes: ['person'],
    threshold: 10,
    minHeight: 0.02,
    maxHeight: 1,
    dwellS: 10,
    densityLevels: [3, 6, 10],
    ...over,
  };
}

export function runScene(orders: readonly AnalysisOrder[], frames: readonly SceneFrame[]): SceneEvent[] {
  const scene = new Scene(orders);
  return frames.flatMap((frame) => scene.step(frame));
}

/** `start IntrusionAlarm 3.5`: seconds since the first frame. */
export function written(events: readonly SceneEvent[], startMs = 1_000_000): string[] {
  return events.map(({ phase, type, atMs }) => `${phase} ${type} ${(atMs - startMs) / 1000}`);
}
