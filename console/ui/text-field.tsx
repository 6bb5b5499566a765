// A line of text with label, hint and error.
import { PasswordInput, TextInput, type TextInputProps } from '@mantine/core';
import type { ReactNode, Ref } from 'react';
import style from './field.module.css';

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

const kitClasses = {
  root: style.root ?? '',
  label: style.label ?? '',
  description: style.hint ?? '',
  error: style.error ?? '',
  wrapper: style.wrapper ?? '',
  input: style.input ?? '',
  section: style.section ?? '',
};
const largeClasses = { ...kitClasses, root: `${style.root} ${style.large}` };
const order: ('label' | 'input' | 'description' | 'error')[] = ['label', 'input', 'description', 'error'];

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
      inputWrapperOrder={order}
      withAsterisk={false}
      classNames={isLarge ? largeClasses : kitClasses}
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
      inputWrapperOrder={order}
      withAsterisk={false}
      visibilityToggleButtonProps={{ 'aria-label': revealLabel, tabIndex: 0, 'aria-hidden': false } as const}
      classNames={{
        ...(isLarge ? largeClasses : kitClasses),
        innerInput: style.inner ?? '',
        visibilityToggle: style.reveal ?? '',
      }}
    />
  );
}
