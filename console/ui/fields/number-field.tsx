// A number with unit, label, hint and error.
import { NumberInput } from '@mantine/core';
import type { ReactNode } from 'react';
import style from './field.module.css';
import { FIELD_CLASSES, FIELD_ORDER } from './field-parts.ts';

export interface NumberFieldProps {
  readonly label: string;
  /** Keeps the label for readers alone. */
  readonly isLabelHidden?: boolean;
  /** Null while the field is blank. */
  readonly value: number | null;
  readonly onValue: (value: number | null) => void;
  readonly min: number;
  readonly max: number;
  readonly step?: number;
  readonly decimals?: number;
  readonly unit?: string;
  readonly hint?: ReactNode;
  readonly error?: string | null;
  readonly disabled?: boolean;
}

export function NumberField(props: NumberFieldProps) {
  const {
    label,
    isLabelHidden = false,
    value,
    onValue,
    min,
    max,
    step = 1,
    decimals = 0,
    unit,
    hint,
    error,
    disabled = false,
  } = props;
  return (
    <NumberInput
      {...(isLabelHidden ? { 'aria-label': label } : { label })}
      value={value ?? ''}
      onChange={(next) => onValue(typeof next === 'number' ? next : next === '' ? null : Number(next))}
      min={min}
      max={max}
      step={step}
      decimalScale={decimals}
      clampBehavior="none"
      allowNegative={min < 0}
      thousandSeparator=""
      suffix={unit === undefined ? '' : ` ${unit}`}
      description={error ? undefined : hint}
      error={error ?? undefined}
      disabled={disabled}
      inputWrapperOrder={FIELD_ORDER}
      classNames={{
        ...FIELD_CLASSES,
        input: `${style.input} digits`,
        control: style.control ?? '',
      }}
    />
  );
}
