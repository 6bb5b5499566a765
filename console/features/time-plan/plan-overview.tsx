// A painted week in sight, and the button that opens the plan dialog on it.
import type { WeekPlan } from '@vedette/rules/time-plan/week-plan.ts';
import { type ReactNode, useState } from 'react';
import { Button } from '../../ui/buttons/button.tsx';
import { PlanDialog } from './plan-dialog.tsx';
import type { PlanPreset, PlanType } from './plan-types.ts';
import { TimePlanPainter } from './time-plan-painter.tsx';

export interface PlanOverviewProps {
  /** Of the dialog. */
  readonly title: string;
  readonly editLabel: string;
  readonly week: WeekPlan;
  readonly types: readonly PlanType[];
  readonly presets?: readonly PlanPreset[];
  readonly hasHoliday: boolean;
  /** Of the button. */
  readonly isWide?: boolean;
  readonly onWeek: (week: WeekPlan) => void;
  /** Between the week and the button. */
  readonly children?: ReactNode;
}

const SIZE = { width: 344, height: 153 } as const;
const NO_PRESETS: readonly PlanPreset[] = [];

export function PlanOverview(props: PlanOverviewProps) {
  const { title, editLabel, week, types, presets = NO_PRESETS, hasHoliday, isWide = false, onWeek, children } = props;
  const [isOpen, setOpen] = useState(false);
  const plan = { week, types, hasHoliday };
  return (
    <>
      <TimePlanPainter {...SIZE} {...plan} type={-1} isReadOnly onWeek={() => undefined} />
      {children}
      <Button isWide={isWide} onClick={() => setOpen(true)}>
        {editLabel}
      </Button>
      <PlanDialog
        {...plan}
        title={title}
        isOpen={isOpen}
        presets={presets}
        onCancel={() => setOpen(false)}
        onConfirm={(next) => {
          setOpen(false);
          onWeek(next);
        }}
      />
    </>
  );
}
