// How long a share holds: ready-made spans, or a start and an end of one's own.
import { useT } from '../../language/use-t.ts';
import { useTimeFormat } from '../../language/use-time-format.ts';
import { formatDateTime } from '@vedette/rules/time-format.ts';
import { useServices } from '../../services/services.ts';
import { Segmented } from '../../ui/fields/segmented.tsx';
import { TimeInput } from './time-input.tsx';
import style from './share-dialog.module.css';
import { type ValidityBounds, validityBounds, VALIDITIES, type Validity } from './validity.ts';

export interface ValidityChoiceProps {
  readonly validity: Validity;
  readonly typed: ValidityBounds;
  readonly problem: string | null;
  readonly onChange: (part: { readonly validity?: Validity; readonly typed?: ValidityBounds }) => void;
}

export function ValidityChoice({ validity, typed, problem, onChange }: ValidityChoiceProps) {
  const t = useT();
  const format = useTimeFormat();
  const { clock } = useServices();
  const choose = (next: Validity): void => {
    // Custom begins with what was chosen before.
    const bounds = validityBounds(validity, clock.wallMs(), typed) ?? typed;
    onChange(next === 'custom' ? { validity: next, typed: bounds } : { validity: next });
  };
  const end = validityBounds(validity, clock.wallMs(), typed)?.endTime ?? null;
  return (
    <div className={style.group}>
      <span className={style.legend}>{t('share.howLong')}</span>
      <Segmented
        label={t('share.howLong')}
        value={validity}
        options={VALIDITIES.map((value) => ({ value, label: t(`share.valid_${value}`) }))}
        onValue={choose}
        isWide
      />
      {validity === 'custom' ? (
        <div className={style.times}>
          <TimeInput
            label={t('share.from')}
            value={typed.startTime}
            onValue={(startTime) => onChange({ typed: { ...typed, startTime } })}
          />
          <TimeInput
            label={t('share.until')}
            value={typed.endTime}
            onValue={(endTime) => onChange({ typed: { ...typed, endTime } })}
          />
        </div>
      ) : (
        <p className={style.hint}>
          {end === null ? t('share.noEnd') : `${t('share.until')} ${formatDateTime(end, format, false)}`}
        </p>
      )}
      {problem !== null && (
        <p className={style.problem} role="alert">
          {problem}
        </p>
      )}
    </div>
  );
}
