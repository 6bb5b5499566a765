// A status as a dot with its word: colour is never the only sign.
import style from './status-dot.module.css';

export type StatusTone = 'online' | 'offline' | 'warning' | 'unknown';

export function StatusDot({ tone, label }: { readonly tone: StatusTone; readonly label?: string }) {
  return (
    <span className={style.root}>
      <span className={style.dot} data-tone={tone} aria-hidden="true" />
      {label !== undefined && <span>{label}</span>}
    </span>
  );
}
