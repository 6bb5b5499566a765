// A line of text with label, hint and error.
import { PasswordInput, TextInput, type TextInputProps } from '@mantine/core';
import type { ReactNode, Ref } from 'react';
import style from './field.module.css';
import { FIELD_CLASSES, FIELD_ORDER } from './field-parts.ts';

type InputAttributes = Pick<
  TextInputProps,
  | 'aria-label'
  | 'aria-describedby'
  | 'autoCapitalize'
  | 'autoComplete'
  | 'autoFocus'
  | 'disabled'
  | 'inputMode'
  | 'maxLength'
  | 'name'
  | 'onBlur'
  | 'onKeyDown'
  | 'onKeyUp'
  | 'placeholder'
  | 'required'
  | 'role'
  | 'spellCheck'
  | 'type'
>;

export interface TextFieldProps extends InputAttributes {
  readonly label?: string;
  readonly value: string;
  readonly onValue: (value: string) => void;
  readonly hint?: ReactNode;
  readonly error?: string | null;
  readonly leftIcon?: ReactNode;
  readonly rightSlot?: ReactNode;
  readonly isLarge?: boolean;
  readonly ref?: Ref<HTMLInputElement>;
}

const usualClasses = { ...FIELD_CLASSES, section: style.section ?? '' };
const largeClasses = { ...usualClasses, root: `${style.root} ${style.large}` };

export function TextField(props: TextFieldProps) {
  const { value, onValue, hint, error, leftIcon, rightSlot, isLarge = false, ...rest } = props;
  return (
    <TextInput
      {...rest}
      value={value}
      onChange={(event) => onValue(event.currentTarget.value)}
      description={error ? undefined : hint}
      error={error ?? undefined}
      leftSection={leftIcon}
      rightSection={rightSlot}
      inputWrapperOrder={FIELD_ORDER}
      withAsterisk={false}
      classNames={isLarge ? largeClasses : usualClasses}
    />
  );
}

export interface PasswordFieldProps extends Omit<TextFieldProps, 'rightSlot'> {
  readonly revealLabel: string;
}

export function PasswordField(props: PasswordFieldProps) {
  const { value, onValue, hint, error, leftIcon, isLarge = false, revealLabel, ...rest } = props;
  return (
    <PasswordInput
      {...rest}
      value={value}
      onChange={(event) => onValue(event.currentTarget.value)}
      description={error ? undefined : hint}
      error={error ?? undefined}
      leftSection={leftIcon}
      inputWrapperOrder={FIELD_ORDER}
      withAsterisk={false}
      visibilityToggleButtonProps={{ 'aria-label': revealLabel, tabIndex: 0, 'aria-hidden': false } as const}
      classNames={{
        ...(isLarge ? largeClasses : usualClasses),
        innerInput: style.inner ?? '',
        visibilityToggle: style.reveal ?? '',
      }}
    />
  );
}
