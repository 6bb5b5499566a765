// A task while it is edited: what it starts from, its regions as they are drawn, and what is still wrong.
import type { AnalysisRegion, AnalysisTask, TaskSceneField } from '@vedette/contract/calls/analysis.ts';
import type { CallInput } from '@vedette/contract/calls/calls.ts';
import { ANALYSIS_LIMITS, DETECTION_THRESHOLD } from '@vedette/contract/limits.ts';
import { taskProblems, watchedKind } from '@vedette/rules/analysis/task-problems.ts';
import { cameraKey, cameraOfKey } from '@vedette/rules/camera-key.ts';

export type TaskDraft = Pick<AnalysisTask, TaskSceneField | 'taskName' | 'isEnabled'> & {
  /** `cameraKey`; null: not chosen yet. */
  readonly camera: string | null;
};

export const NEW_TASK: TaskDraft = {
  camera: null,
  taskName: '',
  algorithm: 'lineCrossing',
  regionList: [],
  classList: ['person', 'vehicle'],
  threshold: DETECTION_THRESHOLD,
  minHeight: ANALYSIS_LIMITS.height.least,
  maxHeight: ANALYSIS_LIMITS.height.most,
  dwellS: ANALYSIS_LIMITS.dwellS.usual,
  densityLevels: [...ANALYSIS_LIMITS.density.usual],
  plan: null,
  holidayList: [],
  model: null,
  isEnabled: true,
};

export function draftOf(task: AnalysisTask): TaskDraft {
  const { taskName, algorithm, regionList, classList, threshold, minHeight, maxHeight } = task;
  const { dwellS, densityLevels, plan, holidayList, model, isEnabled } = task;
  const scene = { algorithm, regionList, classList, threshold, minHeight, maxHeight, dwellS, densityLevels };
  return { ...scene, camera: cameraKey(task), taskName, plan, holidayList, model, isEnabled };
}

/** `task`: the one that is changed; null makes a new one. */
export function saveInput(
  { camera, ...settings }: TaskDraft,
  task: Pick<AnalysisTask, 'taskId' | 'version'> | null,
): CallInput<'ai/task/save'> {
  const which = task === null ? {} : { taskId: task.taskId, version: task.version };
  return { ...cameraOfKey(camera ?? ''), ...settings, ...which };
}

/** What it would have told in a range: without its name, and whether it is on. */
export function replayInput({ draft, startTime, endTime }: ReplayedDraft): CallInput<'ai/replay/start'> {
  const { camera, taskName: _name, isEnabled: _isOn, ...scene } = draft;
  return { ...cameraOfKey(camera ?? ''), ...scene, startTime, endTime };
}

interface ReplayedDraft {
  readonly draft: TaskDraft;
  readonly startTime: number;
  readonly endTime: number;
}

/** Equal for tasks that tell the same of the same recordings. */
export function sceneText({ taskName: _name, isEnabled: _isOn, ...scene }: TaskDraft): string {
  const regions = scene.regionList.map(({ regionName: _regionName, colour: _colour, ...region }) => region);
  return JSON.stringify({ ...scene, regionList: regions });
}

/** `noline`, `nozone`: the region that the rule needs is not drawn. */
export type DraftProblem = 'name' | 'camera' | 'noline' | 'nozone' | 'regionName' | 'classes' | 'height' | 'density';

export interface DraftProblems {
  readonly fields: ReadonlySet<DraftProblem>;
  /** Places of regions whose shape is refused. */
  readonly shapes: ReadonlySet<number>;
}

export function draftProblems(draft: TaskDraft): DraftProblems {
  const found = taskProblems(draft);
  const needed = watchedKind(draft.algorithm) === 'line' ? 'noline' : 'nozone';
  const checks: Readonly<Record<DraftProblem, boolean>> = {
    name: draft.taskName.trim() === '',
    camera: draft.camera === null,
    noline: needed === 'noline' && 'regionList' in found,
    nozone: needed === 'nozone' && 'regionList' in found,
    regionName: draft.regionList.some(({ regionName }) => regionName.trim() === ''),
    classes: draft.classList.length === 0,
    height: 'maxHeight' in found,
    density: Object.keys(found).some((field) => field.startsWith('densityLevels')),
  };
  const names = Object.keys(checks) as DraftProblem[];
  return {
    fields: new Set(names.filter((name) => checks[name])),
    shapes: new Set(draft.regionList.flatMap((_, at) => (`regionList.${at}.points` in found ? [at] : []))),
  };
}

const COLOURS = ['#f2994a', '#2f80ed', '#27ae60', '#eb5757', '#bb6bd9', '#f2c94c'] as const;

const SHAPES = {
  line: [
    { x: 0.25, y: 0.5 },
    { x: 0.75, y: 0.5 },
  ],
  zone: [
    { x: 0.3, y: 0.3 },
    { x: 0.7, y: 0.3 },
    { x: 0.7, y: 0.7 },
    { x: 0.3, y: 0.7 },
  ],
} as const;

/** In the middle of the picture, with a colour and an id that no other has. */
export function withRegion(
  regions: readonly AnalysisRegion[],
  kind: AnalysisRegion['kind'],
  regionName: string,
): AnalysisRegion[] {
  const ids = new Set(regions.map(({ regionId }) => regionId));
  const number = regions.map((_, at) => at + 1).find((one) => !ids.has(String(one))) ?? regions.length + 1;
  const colour = COLOURS[(number - 1) % COLOURS.length] ?? COLOURS[0];
  const points = [...SHAPES[kind === 'line' ? 'line' : 'zone']];
  return [...regions, { regionId: String(number), regionName, kind, points, direction: 'both', colour }];
}

/** In the middle of the side that begins at point `at`; unchanged where a region has all points that it may have. */
export function withPoint(region: AnalysisRegion, at: number): AnalysisRegion {
  const { points } = region;
  const [from, to] = [points[at], points[(at + 1) % points.length]];
  if (from === undefined || to === undefined || points.length >= ANALYSIS_LIMITS.points) return region;
  const middle = { x: (from.x + to.x) / 2, y: (from.y + to.y) / 2 };
  return { ...region, points: points.toSpliced(at + 1, 0, middle) };
}

/** Unchanged where the kind needs all points that there are. */
export function withoutPoint(region: AnalysisRegion, at: number): AnalysisRegion {
  const least = region.kind === 'line' ? 2 : 3;
  return region.points.length <= least ? region : { ...region, points: region.points.toSpliced(at, 1) };
}
