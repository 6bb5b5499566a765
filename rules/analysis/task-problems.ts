// Checks what a task of edge intelligence watches for: field path → problem, for the editor and the server.
import type { AnalysisRegion } from '@vedette/contract/calls/analysis.ts';
import type { AnalysisAlgorithm, ObjectClass } from '@vedette/contract/enumerations.ts';
import type { FieldProblem } from '../validation/field-problem.ts';
import { crossesItself, hasArea } from './polygon-shape.ts';

/** What a task has besides its place, its name and its plan. */
export interface WatchedScene {
  readonly algorithm: AnalysisAlgorithm;
  readonly regionList: readonly AnalysisRegion[];
  readonly classList: readonly ObjectClass[];
  readonly minHeight: number;
  readonly maxHeight: number;
  readonly densityLevels: readonly number[];
}

type Problems = Record<string, FieldProblem>;

const LEAST_ZONE_POINTS = 3;
const LINE_POINTS = 2;

/** Line crossing and counting look at lines, the others at zones. */
export function watchedKind(algorithm: AnalysisAlgorithm): 'line' | 'zone' {
  return algorithm === 'lineCrossing' || algorithm === 'counting' ? 'line' : 'zone';
}

/** Empty where all is well. */
export function taskProblems(scene: WatchedScene): Problems {
  const problems: Problems = {};
  for (const [index, region] of scene.regionList.entries()) {
    const problem = pointsProblem(region);
    if (problem !== null) problems[`regionList.${index}.points`] = problem;
  }
  const ids = scene.regionList.map(({ regionId }) => regionId);
  const repeated = firstRepeated(ids);
  if (repeated >= 0) problems[`regionList.${repeated}.regionId`] = 'notAllowed';
  const wanted = watchedKind(scene.algorithm);
  if (!scene.regionList.some(({ kind }) => kind === wanted)) problems['regionList'] = 'required';
  if (firstRepeated(scene.classList) >= 0) problems['classList'] = 'notAllowed';
  if (scene.maxHeight <= scene.minHeight) problems['maxHeight'] = 'tooSmall';
  const descending = scene.densityLevels.findIndex((level, at, levels) => at > 0 && level <= (levels[at - 1] ?? 0));
  if (descending >= 0) problems[`densityLevels.${descending}`] = 'tooSmall';
  return problems;
}

/** `tooShort` and `tooLong` count points; `notAllowed` is a shape without length or area, or one that crosses itself. */
function pointsProblem({ kind, points }: Pick<AnalysisRegion, 'kind' | 'points'>): FieldProblem | null {
  return kind === 'line' ? lineProblem(points) : areaProblem(points);
}

function lineProblem(points: AnalysisRegion['points']): FieldProblem | null {
  const [from, to] = points;
  if (from === undefined || to === undefined) return 'tooShort';
  if (points.length > LINE_POINTS) return 'tooLong';
  return from.x === to.x && from.y === to.y ? 'notAllowed' : null;
}

function areaProblem(points: AnalysisRegion['points']): FieldProblem | null {
  if (points.length < LEAST_ZONE_POINTS) return 'tooShort';
  return !hasArea(points) || crossesItself(points) ? 'notAllowed' : null;
}

function firstRepeated(values: readonly string[]): number {
  return values.findIndex((value, at) => values.indexOf(value) < at);
}
