// A number between two limits: a slider to feel, a figure to be exact.
import { useId } from 'react';
import style from './range-field.module.css';

export interface RangeFieldProps {
  readonly label: string;
  readonly value: number;
  readonly min: number;
  readonly max: number;
  readonly step?: number | undefined;
  readonly unit?: string | undefined;
  readonly error?: string | null;
  readonly isChanged?: boolean;
  readonly onValue: (value: number) => void;
}

export function RangeField(props: RangeFieldProps) {
  const { label, value, min, max, step = stepOf(min, max), unit, error = null, isChanged = false, onValue } = props;
  const id = useId();
  const share = max > min ? (Math.min(max, Math.max(min, value)) - min) / (max - min) : 0;
  return (
    <div className={style.root} data-changed={isChanged || undefined}>
      <label className={style.label} htmlFor={id}>
        {label}
      </label>
      <input
        id={id}
        className={style.slider}
        type="range"
        min={min}
        max={max}
        step={step}
        value={value}
        style={{ '--share': `${share * 100}%` } as React.CSSProperties}
        onChange={(event) => onValue(Number(event.currentTarget.value))}
      />
      <input
        className={`${style.figure} digits`}
        type="number"
        aria-label={label}
        aria-invalid={error !== null}
        min={min}
        max={max}
        step={step}
        value={value}
        onChange={(event) => {
          if (event.currentTarget.value !== '') onValue(Number(event.currentTarget.value));
        }}
      />
      <span className={style.unit}>{unit}</span>
      {error !== null && (
        <span className={style.error} role="alert">
          {error}
        </span>
      )}
    </div>
  );
}

/** A hundred steps or so; whole numbers where the span is wide. */
function stepOf(min: number, max: number): number {
  return max - min > 4 ? 1 : (max - min) / 100;
}
