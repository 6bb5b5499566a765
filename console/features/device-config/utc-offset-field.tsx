// The offset of a device's clock from UTC, chosen from those that zones have.
import type { RangeLimits } from '@vedette/contract/config/fields.ts';
import { SelectField } from '../../ui/fields/select-field.tsx';
import style from './device-config.module.css';
import { utcOffsets, utcOffsetText } from './utc-offset.ts';

export interface UtcOffsetFieldProps {
  readonly label: string;
  /** Minutes east of UTC. */
  readonly value: number;
  readonly limits: RangeLimits;
  readonly isChanged: boolean;
  readonly onValue: (value: number) => void;
}

export function UtcOffsetField({ label, value, limits, isChanged, onValue }: UtcOffsetFieldProps) {
  const options = utcOffsets(limits, value).map((offset) => ({ value: String(offset), label: utcOffsetText(offset) }));
  return (
    <div className={style.line} data-changed={isChanged || undefined}>
      <span className={style.lineLabel}>{label}</span>
      <SelectField
        label={label}
        isLabelHidden
        value={String(value)}
        options={options}
        isSearchable
        onValue={(chosen) => onValue(Number(chosen))}
      />
    </div>
  );
}
