// What is asked for: the range, and what the rows are.
import { COST_GROUPS, COST_RANGES } from '@vedette/contract/calls/cost.ts';
import { USER_TYPE } from '@vedette/contract/enumerations.ts';
import { useT } from '../../language/use-t.ts';
import { useAuth } from '../../session/auth-store.ts';
import { InstantField } from '../../ui/fields/instant-field.tsx';
import { Segmented } from '../../ui/fields/segmented.tsx';
import { type AskedCosts, isWhole } from './asked-costs.ts';
import style from './cost-center.module.css';

export interface CostControlsProps {
  readonly asked: AskedCosts;
  readonly onAsked: (asked: AskedCosts) => void;
}

export function CostControls({ asked, onAsked }: CostControlsProps) {
  const t = useT();
  const isOperator = useAuth((auth) => auth.userType === USER_TYPE.super);
  const groups = COST_GROUPS.filter((group) => group !== 'account' || isOperator);
  const isWrong = asked.startTime !== null && asked.endTime !== null && !isWhole(asked);
  return (
    <div className={style.controls}>
      <Segmented
        label={t('consumption.range')}
        value={asked.range}
        options={COST_RANGES.map((value) => ({ value, label: t(`consumption.range.${value}`) }))}
        onValue={(range) => onAsked({ ...asked, range })}
      />
      {asked.range === 'custom' && (
        <>
          <InstantField
            label={t('statistics.from')}
            at={asked.startTime}
            onAt={(startTime) => onAsked({ ...asked, startTime })}
          />
          <InstantField
            label={t('statistics.to')}
            at={asked.endTime}
            onAt={(endTime) => onAsked({ ...asked, endTime })}
          />
          {isWrong && <span role="alert">{t('statistics.wrongOrder')}</span>}
        </>
      )}
      <Segmented
        label={t('consumption.groupBy')}
        value={asked.groupBy}
        options={groups.map((value) => ({ value, label: t(`consumption.group.${value}`) }))}
        onValue={(groupBy) => onAsked({ ...asked, groupBy })}
      />
    </div>
  );
}
