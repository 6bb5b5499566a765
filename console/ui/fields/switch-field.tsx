// An on/off setting.
import { Switch } from '@mantine/core';
import style from './switch-field.module.css';

export interface SwitchFieldProps {
  readonly label: string;
  /** Its name where it stands beside what it switches, without a label of its own. */
  readonly ariaLabel?: string;
  readonly isOn: boolean;
  readonly onToggle: (isOn: boolean) => void;
  readonly disabled?: boolean;
}

export function SwitchField({ label, ariaLabel, isOn, onToggle, disabled = false }: SwitchFieldProps) {
  return (
    <Switch
      label={label}
      aria-label={ariaLabel}
      checked={isOn}
      onChange={(event) => onToggle(event.currentTarget.checked)}
      disabled={disabled}
      size="sm"
      classNames={{ label: style.label ?? '', track: style.track ?? '' }}
    />
  );
}
