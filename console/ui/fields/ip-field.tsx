// An IPv4 address as four segments (VA-10): at most 255 each, a dot or a full segment goes on, a paste splits on dots.
import { clampSegment, type IpSegments, pasteSegments } from '@vedette/rules/validation/ip-input.ts';
import { type ClipboardEvent, type KeyboardEvent, useId, useRef } from 'react';
import field from './field.module.css';
import style from './ip-field.module.css';

export interface IpFieldProps {
  readonly label: string;
  readonly segmentLabel: (no: number) => string;
  readonly value: IpSegments;
  readonly onValue: (value: IpSegments) => void;
  readonly error?: string | null;
  readonly autoFocus?: boolean;
}

const PLACES = [0, 1, 2, 3] as const;
const FULL = 3;

/** By how many segments a key leads on: none while the caret still has a way in its own. */
function stepOf(key: string, { selectionStart, selectionEnd, value }: HTMLInputElement): -1 | 0 | 1 {
  const isCaretAt = (place: number): boolean => selectionStart === place && selectionEnd === place;
  switch (key) {
    case 'Backspace':
      return value === '' ? -1 : 0;
    case 'ArrowLeft':
      return isCaretAt(0) ? -1 : 0;
    case '.':
      return value === '' ? 0 : 1;
    case 'ArrowRight':
      return isCaretAt(value.length) ? 1 : 0;
    default:
      return 0;
  }
}

export function IpField({ label, segmentLabel, value, onValue, error = null, autoFocus = false }: IpFieldProps) {
  const id = useId();
  const inputs = useRef<(HTMLInputElement | null)[]>([]);
  const goTo = (place: number): void => {
    inputs.current[place]?.focus();
    inputs.current[place]?.select();
  };
  const type = (place: number, typed: string): void => {
    const segment = clampSegment(typed);
    onValue(value.map((old, at) => (at === place ? segment : old)) as unknown as IpSegments);
    if (segment.length === FULL && typed.length >= FULL) goTo(place + 1);
  };
  const press = (place: number, event: KeyboardEvent<HTMLInputElement>): void => {
    const step = stepOf(event.key, event.currentTarget);
    const next = place + step;
    if (event.key === '.' || (step !== 0 && PLACES.some((one) => one === next))) event.preventDefault();
    if (step !== 0) goTo(next);
  };
  const paste = (place: number, event: ClipboardEvent<HTMLInputElement>): void => {
    event.preventDefault();
    onValue(pasteSegments(value, place, event.clipboardData.getData('text')));
  };
  return (
    <div className={field.root} role="group" aria-labelledby={`${id}-label`} aria-describedby={`${id}-error`}>
      <span id={`${id}-label`} className={field.label}>
        {label}
      </span>
      <div className={style.field} data-error={error !== null || undefined}>
        {PLACES.map((place) => (
          <span key={place} className={style.segment}>
            <input
              ref={(input) => {
                inputs.current[place] = input;
              }}
              aria-label={segmentLabel(place + 1)}
              aria-invalid={error !== null || undefined}
              value={value[place]}
              inputMode="numeric"
              autoComplete="off"
              autoFocus={autoFocus && place === 0}
              onChange={(event) => type(place, event.currentTarget.value)}
              onKeyDown={(event) => press(place, event)}
              onPaste={(event) => paste(place, event)}
              onFocus={(event) => event.currentTarget.select()}
            />
            {place < FULL && <span aria-hidden="true">.</span>}
          </span>
        ))}
      </div>
      <div id={`${id}-error`} className={style.error} role={error === null ? undefined : 'alert'}>
        {error}
      </div>
    </div>
  );
}
