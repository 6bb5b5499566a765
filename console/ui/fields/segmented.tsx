// A few exclusive choices side by side.
import { SegmentedControl } from '@mantine/core';
import type { ReactNode } from 'react';
import style from './segmented.module.css';

export interface SegmentedProps<V extends string> {
  readonly label: string;
  readonly value: V;
  readonly options: readonly { readonly value: V; readonly label: ReactNode }[];
  readonly onValue: (value: V) => void;
  readonly isWide?: boolean;
}

export function Segmented<V extends string>({ label, value, options, onValue, isWide = false }: SegmentedProps<V>) {
  return (
    <SegmentedControl
      aria-label={label}
      value={value}
      data={options as { value: V; label: ReactNode }[]}
      onChange={(next) => onValue(next as V)}
      fullWidth={isWide}
      transitionDuration={120}
      withItemsBorders={false}
      classNames={{
        root: style.root ?? '',
        label: style.label ?? '',
        indicator: style.indicator ?? '',
        control: style.control ?? '',
        innerLabel: style.inner ?? '',
      }}
    />
  );
}
