// What can be painted into a plan: number, name and colour of each type; and ready-made plans.
import type { WeekPlan } from '@vedette/rules/time-plan/week-plan.ts';

export interface PlanType {
  /** Above 0; -1 is the eraser. */
  readonly type: number;
  readonly label: string;
  /** Custom property of the theme that holds its colour. */
  readonly colour: `--${string}`;
}

export interface PlanPreset {
  readonly label: string;
  readonly week: WeekPlan;
}
