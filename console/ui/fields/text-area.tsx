// Several lines of text with label, hint and error.
import { Textarea } from '@mantine/core';
import style from './field.module.css';
import { FIELD_CLASSES, FIELD_ORDER } from './field-parts.ts';

export interface TextAreaProps {
  readonly label: string;
  readonly value: string;
  readonly onValue: (value: string) => void;
  readonly maxLength: number;
  readonly rows?: number;
  readonly hint?: string;
  readonly error?: string | null;
  /** Keeps line breaks and no spelling: keys and signatures. */
  readonly isCode?: boolean;
}

export function TextArea(props: TextAreaProps) {
  const { label, value, onValue, maxLength, rows = 4, hint, error, isCode = false } = props;
  return (
    <Textarea
      label={label}
      value={value}
      onChange={(event) => onValue(event.currentTarget.value)}
      maxLength={maxLength}
      rows={rows}
      spellCheck={!isCode}
      description={error ? undefined : hint}
      error={error ?? undefined}
      inputWrapperOrder={FIELD_ORDER}
      classNames={{ ...FIELD_CLASSES, input: `${style.input} ${style.lines}` }}
    />
  );
}
