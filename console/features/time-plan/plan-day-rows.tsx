// The rows of one day as text: start, end and type of every segment.
import type { PlanEntry } from '@vedette/rules/time-plan/week-plan.ts';
import { IconX } from '@tabler/icons-react';
import { useT } from '../../language/use-t.ts';
import { IconButton } from '../../ui/buttons/icon-button.tsx';
import { SelectField } from '../../ui/fields/select-field.tsx';
import { TextField } from '../../ui/fields/text-field.tsx';
import style from './plan-dialog.module.css';
import type { PlanType } from './plan-types.ts';
import { typeTime } from './type-time.ts';

export interface PlanDayRowsProps {
  readonly rows: readonly PlanEntry[];
  readonly types: readonly PlanType[];
  /** Counts from 1; shown as wrong. */
  readonly wrongRow: number | null;
  readonly onRows: (rows: readonly PlanEntry[]) => void;
}

export function PlanDayRows({ rows, types, wrongRow, onRows }: PlanDayRowsProps) {
  const t = useT();
  const put = (at: number, change: Partial<PlanEntry>): void =>
    onRows(rows.map((row, index) => (index === at ? { ...row, ...change } : row)));
  const options = types.map(({ type, label }) => ({ value: String(type), label }));
  return (
    <ol className={style.rows}>
      {rows.map((row, at) => {
        const number = at + 1;
        const field = (which: 'StartTime' | 'EndTime', label: string) => (
          <TextField
            aria-label={label}
            value={row[which]}
            placeholder="HH:mm:ss"
            inputMode="numeric"
            maxLength={8}
            autoComplete="off"
            spellCheck={false}
            onValue={(text) => put(at, { [which]: text })}
            onBlur={() => {
              if (row[which] !== '') put(at, { [which]: typeTime(row[which]) });
            }}
          />
        );
        return (
          // A row has no name but its number.
          <li key={number} className={style.row} data-wrong={wrongRow === number || undefined}>
            <span className={style.number} aria-hidden="true">
              {number}
            </span>
            {field('StartTime', t('timePlan.rowStart', { row: number }))}
            <span aria-hidden="true">–</span>
            {field('EndTime', t('timePlan.rowEnd', { row: number }))}
            <SelectField
              label={t('timePlan.rowType', { row: number })}
              isLabelHidden
              value={String(row.Type)}
              options={options}
              onValue={(value) => put(at, { Type: Number(value) })}
            />
            <IconButton
              label={t('timePlan.rowClear', { row: number })}
              size="small"
              disabled={row.StartTime === '' && row.EndTime === ''}
              onClick={() => put(at, { StartTime: '', EndTime: '' })}
            >
              <IconX size={14} stroke={1.8} />
            </IconButton>
          </li>
        );
      })}
    </ol>
  );
}
