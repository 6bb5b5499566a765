// A date with a time in the zone of the machine; empty means none.
import { TextField } from './text-field.tsx';

export interface InstantFieldProps {
  readonly label: string;
  readonly at: number | null;
  readonly onAt: (at: number | null) => void;
}

export function InstantField({ label, at, onAt }: InstantFieldProps) {
  return (
    <TextField
      aria-label={label}
      type="datetime-local"
      value={at === null ? '' : localText(at)}
      onValue={(text) => {
        const value = new Date(text).getTime();
        onAt(Number.isNaN(value) ? null : value);
      }}
    />
  );
}

function localText(at: number): string {
  const shift = new Date(at).getTimezoneOffset() * 60_000;
  return new Date(at - shift).toISOString().slice(0, 16);
}
