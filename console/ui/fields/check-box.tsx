// A box to tick, with its name and perhaps a second line.
import { useEffect, useId, useRef } from 'react';
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
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (input.current !== null) input.current.indeterminate = isPartly;
  }, [isPartly]);
  return (
    <div className={style.root}>
      <input
        ref={input}
        id={id}
        className={style.input}
        type="checkbox"
        checked={isOn}
        disabled={disabled}
        onChange={(event) => onToggle(event.currentTarget.checked)}
        {...(isLabelHidden && { 'aria-label': label })}
        {...(detail !== undefined && { 'aria-describedby': `${id}-detail` })}
      />
      {!isLabelHidden && (
        <span className={style.words}>
          <label className={style.label} htmlFor={id} title={label}>
            {label}
          </label>
          {detail !== undefined && (
            <span id={`${id}-detail`} className={style.detail}>
              {detail}
            </span>
          )}
        </span>
      )}
    </div>
  );
}
