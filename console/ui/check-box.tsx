// A box to tick, with its name and perhaps a second line.
import { Checkbox } from '@mantine/core';
import style from './check-box.module.css';

export interface CheckBoxProps {
  readonly label: string;
  /** Keeps the label for readers alone. */
  readonly isLabelHidden?: boolean;
  readonly detail?: string;
  readonly isOn: boolean;
  /** Some of what it stands for. */
  readonly isPartly?: boolean;
  readonly disabled?: boolean;
  readonly onToggle: (isOn: boolean) => void;
}

export function CheckBox(props: CheckBoxProps) {
  const { label, isLabelHidden = false, detail, isOn, isPartly = false, disabled = false, onToggle } = props;
  return (
    <Checkbox
      {...(isLabelHidden ? { 'aria-label': label } : { label })}
      description={detail}
      checked={isOn}
      indeterminate={isPartly}
      disabled={disabled}
      size="xs"
      onChange={(event) => onToggle(event.currentTarget.checked)}
      classNames={{
        root: style.root ?? '',
        body: style.body ?? '',
        labelWrapper: style.words ?? '',
        label: style.label ?? '',
        description: style.detail ?? '',
        input: style.input ?? '',
      }}
    />
  );
}
