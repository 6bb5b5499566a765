// How much of something is used, as a bar with its words.
import style from './usage-bar.module.css';

export interface UsageBarProps {
  readonly label: string;
  /** 0 to 1. */
  readonly share: number;
  readonly tone: 'normal' | 'warning' | 'danger';
}

export function UsageBar({ label, share, tone }: UsageBarProps) {
  const percent = Math.round(Math.min(Math.max(share, 0), 1) * 1000) / 10;
  return (
    <div
      className={style.track}
      role="meter"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={percent}
    >
      <div className={style.fill} data-tone={tone} style={{ width: `${percent}%` }} />
    </div>
  );
}
