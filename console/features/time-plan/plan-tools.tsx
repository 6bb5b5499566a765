// What is painted with: one of the types, or the eraser; ready-made plans and a clean sheet.
import { ERASE_TYPE } from '@vedette/rules/time-plan/paint.ts';
import type { WeekPlan } from '@vedette/rules/time-plan/week-plan.ts';
import { IconChevronDown, IconEraser } from '@tabler/icons-react';
import { useT } from '../../language/use-t.ts';
import { Button } from '../../ui/buttons/button.tsx';
import { Menu } from '../../ui/overlays/menu.tsx';
import style from './plan-dialog.module.css';
import type { PlanPreset, PlanType } from './plan-types.ts';

export interface PlanToolsProps {
  readonly types: readonly PlanType[];
  readonly tool: number;
  readonly onTool: (type: number) => void;
  readonly presets: readonly PlanPreset[];
  readonly onPreset: (week: WeekPlan) => void;
  readonly onReset: () => void;
}

export function PlanTools({ types, tool, onTool, presets, onPreset, onReset }: PlanToolsProps) {
  const t = useT();
  return (
    <div className={style.tools}>
      <div className={style.brushes} role="radiogroup" aria-label={t('timePlan.brush')}>
        {types.map(({ type, label, colour }) => (
          <label key={type} className={style.brush}>
            <input type="radio" name="brush" checked={tool === type} onChange={() => onTool(type)} />
            <span className={style.swatch} style={{ background: `var(${colour})` }} aria-hidden="true" />
            {label}
          </label>
        ))}
        <label className={style.brush}>
          <input type="radio" name="brush" checked={tool === ERASE_TYPE} onChange={() => onTool(ERASE_TYPE)} />
          <IconEraser size={14} stroke={1.7} aria-hidden="true" />
          {t('timePlan.eraser')}
        </label>
      </div>
      <div className={style.toolButtons}>
        {presets.length > 0 && (
          <Menu
            label={t('timePlan.presets')}
            side="bottom-end"
            width={180}
            entries={presets.map(({ label, week }) => ({ kind: 'item', label, onChoose: () => onPreset(week) }))}
          >
            <Button>
              {t('timePlan.presets')}
              <IconChevronDown size={14} stroke={1.8} aria-hidden="true" />
            </Button>
          </Menu>
        )}
        <Button look="quiet" onClick={onReset}>
          {t('timePlan.reset')}
        </Button>
      </div>
    </div>
  );
}
