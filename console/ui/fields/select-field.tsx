// One choice out of a list.
import { Select } from '@mantine/core';
import { IconChevronDown } from '@tabler/icons-react';
import style from './field.module.css';
import { FIELD_CLASSES, FIELD_ORDER } from './field-parts.ts';

export interface SelectOption {
  readonly value: string;
  readonly label: string;
}

export interface SelectFieldProps {
  readonly label: string;
  /** Keeps the label for readers alone. */
  readonly isLabelHidden?: boolean;
  readonly value: string | null;
  readonly options: readonly SelectOption[];
  readonly onValue: (value: string) => void;
  readonly isSearchable?: boolean;
  readonly nothingFound?: string;
  readonly error?: string | null;
  readonly hint?: string;
  /** Stands in it while nothing is chosen. */
  readonly placeholder?: string;
}

/** Of a list that is searched: more rows than anybody reads. */
const MOST_SHOWN = 200;

export function SelectField(props: SelectFieldProps) {
  const {
    label,
    isLabelHidden = false,
    value,
    options,
    onValue,
    isSearchable = false,
    nothingFound,
    error,
    hint,
    placeholder,
  } = props;
  return (
    <Select
      {...(isLabelHidden ? { 'aria-label': label } : { label })}
      value={value}
      data={options as SelectOption[]}
      onChange={(next) => {
        if (next !== null) onValue(next);
      }}
      allowDeselect={false}
      searchable={isSearchable}
      limit={isSearchable ? MOST_SHOWN : Number.POSITIVE_INFINITY}
      placeholder={placeholder}
      nothingFoundMessage={nothingFound}
      description={error ? undefined : hint}
      error={error ?? undefined}
      withCheckIcon={false}
      rightSection={<IconChevronDown size={15} stroke={1.8} aria-hidden="true" />}
      rightSectionPointerEvents="none"
      inputWrapperOrder={FIELD_ORDER}
      comboboxProps={{ transitionProps: { duration: 120 }, offset: 4, shadow: 'none' }}
      classNames={{
        ...FIELD_CLASSES,
        section: style.section ?? '',
        dropdown: style.list ?? '',
        option: style.option ?? '',
      }}
    />
  );
}
