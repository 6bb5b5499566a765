// An on/off setting.
import { Switch } from '@mantine/core';
import style from './switch-field.module.css';

export interface SwitchFieldProps {
  readonly label: string;
  readonly isOn: boolean;
  readonly onToggle: (isOn: boolean) => void;
  readonly disabled?: boolean;
}

export function SwitchField({ label, isOn, onToggle, disabled = false }: SwitchFieldProps) {
  return (
    <Switch
      label={label}
      checked={isOn}
      onChange={(event) => onToggle(event.currentTarget.checked)}
      disabled={disabled}
      size="sm"
      classNames={{ label: style.label ?? '', track: style.track ?? '' }}
    />
  );
}
