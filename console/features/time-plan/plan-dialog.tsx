// The plan dialog (WG-06): the painter, the rows of one day, copying to other days; nothing is kept before it is confirmed.
import { PLAN_DIALOG_WIDTH_PX } from '@vedette/contract/limits.ts';
import type { PlanProblem } from '@vedette/rules/time-plan/plan-rows.ts';
import { PLAN_DAYS, PLAN_WEEK_DAYS, type WeekPlan } from '@vedette/rules/time-plan/week-plan.ts';
import { type ReactNode, useState } from 'react';
import { useT } from '../../language/use-t.ts';
import { Button } from '../../ui/buttons/button.tsx';
import { Dialog } from '../../ui/overlays/dialog.tsx';
import { Notice } from '../../ui/feedback/notice.tsx';
import { Segmented } from '../../ui/fields/segmented.tsx';
import { CopyDay } from './copy-day.tsx';
import { PlanDayRows } from './plan-day-rows.tsx';
import style from './plan-dialog.module.css';
import { PlanTools } from './plan-tools.tsx';
import type { PlanPreset, PlanType } from './plan-types.ts';
import { TimePlanPainter } from './time-plan-painter.tsx';
import { useDayNames } from './use-day-names.ts';
import { usePlanDraft } from './use-plan-draft.ts';

export interface PlanDialogProps {
  readonly title: string;
  readonly isOpen: boolean;
  /** As it is before: what is shown again after a cancel. */
  readonly week: WeekPlan;
  readonly types: readonly PlanType[];
  readonly presets?: readonly PlanPreset[];
  /** Without it there is no row for holidays. */
  readonly hasHoliday?: boolean;
  readonly onCancel: () => void;
  readonly onConfirm: (week: WeekPlan) => void;
}

export function PlanDialog(props: PlanDialogProps) {
  const t = useT();
  const { title, isOpen, onCancel } = props;
  return (
    <Dialog
      isOpen={isOpen}
      onClose={onCancel}
      title={title}
      closeLabel={t('common.close')}
      width={PLAN_DIALOG_WIDTH_PX}
    >
      {isOpen && <PlanForm {...props} />}
    </Dialog>
  );
}

const NO_PRESETS: readonly PlanPreset[] = [];

/** Begins with the snapshot each time it is opened. */
function PlanForm({ week, types, presets = NO_PRESETS, hasHoliday = true, ...answer }: PlanDialogProps): ReactNode {
  const t = useT();
  const days = hasHoliday ? PLAN_DAYS : PLAN_WEEK_DAYS;
  const shortNames = useDayNames('short');
  const longNames = useDayNames('long');
  const firstType = types[0]?.type ?? 1;
  const draft = usePlanDraft(week, { firstType });
  const [tool, setTool] = useState(firstType);
  const nameOf = (day: number): string => longNames[days.indexOf(day)] ?? '';
  const { problem } = draft;
  return (
    <>
      <div className={style.board}>
        <TimePlanPainter
          week={draft.week}
          types={types}
          type={tool}
          selectedDay={draft.day}
          onWeek={draft.paint}
          onDay={draft.goTo}
          onTooMany={draft.refuse}
          hasHoliday={hasHoliday}
        />
        <PlanTools
          types={types}
          tool={tool}
          onTool={setTool}
          presets={presets}
          onPreset={draft.replace}
          onReset={() => draft.replace({})}
        />
      </div>
      <Segmented
        label={t('timePlan.day')}
        value={String(draft.day)}
        options={days.map((day, row) => ({ value: String(day), label: shortNames[row] ?? '' }))}
        onValue={(day) => draft.goTo(Number(day))}
        isWide
      />
      <section className={style.day} aria-label={nameOf(draft.day)}>
        <PlanDayRows
          rows={draft.rows}
          types={types}
          wrongRow={problem !== null && 'row' in problem && problem.day === draft.day ? problem.row : null}
          onRows={draft.typeRows}
        />
        <CopyDay key={draft.day} day={draft.day} days={days} dayNames={shortNames} onCopy={draft.copyTo} />
      </section>
      <div className={style.problem}>
        {problem !== null && <Notice tone="error">{problemText(t, problem, nameOf(problem.day))}</Notice>}
      </div>
      <div className={style.actions}>
        <Button onClick={answer.onCancel}>{t('common.cancel')}</Button>
        <Button
          look="primary"
          onClick={() => {
            const confirmed = draft.confirm();
            if (confirmed) answer.onConfirm(confirmed);
          }}
        >
          {t('timePlan.confirm')}
        </Button>
      </div>
    </>
  );
}

/** VA-08: every alert names the day, and the row or the most that it may have. */
function problemText(t: ReturnType<typeof useT>, problem: PlanProblem, day: string): string {
  if (problem.kind === 'tooMany') return t('timePlan.tooMany', { day, maximum: problem.maximum });
  return t(`timePlan.${problem.kind}`, { day, row: problem.row });
}
