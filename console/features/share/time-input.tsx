// A date with a time of this machine's zone; empty means none.
import { useState } from 'react';
import style from './share-dialog.module.css';

export interface TimeInputProps {
  readonly label: string;
  readonly value: number | null;
  readonly onValue: (at: number | null) => void;
  /** Seconds can be typed too. */
  readonly hasSeconds?: boolean;
}

export function TimeInput({ label, value, onValue, hasSeconds = false }: TimeInputProps) {
  const length = hasSeconds ? 19 : 16;
  const [text, setText] = useState(() => textOf(value).slice(0, length));
  return (
    <label className={style.time}>
      <span>{label}</span>
      <input
        type="datetime-local"
        step={hasSeconds ? 1 : 60}
        value={text}
        onChange={(event) => {
          const typed = event.currentTarget.value;
          setText(typed);
          const at = typed === '' ? Number.NaN : new Date(typed).getTime();
          onValue(Number.isFinite(at) && at >= 0 ? at : null);
        }}
      />
    </label>
  );
}

function textOf(at: number | null): string {
  if (at === null) return '';
  const local = new Date(at);
  const two = (value: number): string => String(value).padStart(2, '0');
  const date = `${local.getFullYear()}-${two(local.getMonth() + 1)}-${two(local.getDate())}`;
  return `${date}T${two(local.getHours())}:${two(local.getMinutes())}:${two(local.getSeconds())}`;
}
