// What a task watches for as a call brings it: refused where it is wrong, and as the columns in which it is kept.
import type { TaskSceneField } from '@vedette/contract/calls/analysis.ts';
import type { CallParsed } from '@vedette/contract/calls/calls.ts';
import { taskProblems } from '@vedette/rules/analysis/task-problems.ts';
import { planProblem } from '@vedette/rules/time-plan/plan-problem.ts';
import { refuseBadFields } from '../../core/call-error.ts';
import type { AnalysisTaskColumns } from '../../database/media/analysis-task.queries.ts';

type SceneInput = Pick<CallParsed<'ai/task/save'>, TaskSceneField>;

/** Throws 1003. */
export function refuseBadScene(input: SceneInput): void {
  const plan = planProblem({ plan: input.plan ?? [], holidayList: input.holidayList });
  refuseBadFields({ ...taskProblems(input), ...(plan && { [plan.field]: plan.problem }) });
}

export function sceneColumns(input: SceneInput): Omit<AnalysisTaskColumns, 'task_name' | 'is_enabled'> {
  return {
    algorithm: input.algorithm,
    regions: input.regionList,
    classes: input.classList,
    threshold: input.threshold,
    min_height: input.minHeight,
    max_height: input.maxHeight,
    dwell_s: input.dwellS,
    density_levels: input.densityLevels,
    plan: input.plan,
    holidays: input.holidayList,
    model: input.model,
  };
}
