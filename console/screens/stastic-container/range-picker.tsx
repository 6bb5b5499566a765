// The range of the statistics: the last day, week or month, or from one instant to another.
import { STATISTIC_RANGES } from '@vedette/contract/calls/statistic.ts';
import { useT } from '../../language/use-t.ts';
import { InstantField } from '../../ui/fields/instant-field.tsx';
import { Segmented } from '../../ui/fields/segmented.tsx';
import { type AskedStatistics, isWhole } from './statistic.query.ts';
import style from './statistics.module.css';

export interface RangePickerProps {
  readonly asked: AskedStatistics;
  readonly onAsked: (asked: AskedStatistics) => void;
}

export function RangePicker({ asked, onAsked }: RangePickerProps) {
  const t = useT();
  const isWrong = asked.startTime !== null && asked.endTime !== null && !isWhole(asked);
  return (
    <div className={style.range}>
      <Segmented
        label={t('statistics.range')}
        value={asked.range}
        options={STATISTIC_RANGES.map((value) => ({ value, label: t(`statistics.range.${value}`) }))}
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
    </div>
  );
}
