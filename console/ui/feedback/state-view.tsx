// The states of a view that is not full: empty, failed, loading.
import type { ReactNode } from 'react';
import style from './state-view.module.css';

export interface StateViewProps {
  readonly icon?: ReactNode;
  /** One sentence. */
  readonly title: string;
  readonly detail?: string | undefined;
  /** One button. */
  readonly action?: ReactNode;
  /** `alert` for failures, so that readers hear them. */
  readonly role?: 'status' | 'alert';
  readonly isSmall?: boolean;
}

export function StateView({ icon, title, detail, action, role = 'status', isSmall = false }: StateViewProps) {
  return (
    <div className={style.root} role={role} data-small={isSmall || undefined}>
      {icon !== undefined && <div className={style.icon}>{icon}</div>}
      <p className={style.title}>{title}</p>
      {detail !== undefined && <p className={style.detail}>{detail}</p>}
      {action !== undefined && <div className={style.action}>{action}</div>}
    </div>
  );
}

export interface SkeletonProps {
  readonly width?: number | string;
  readonly height?: number;
}

export function Skeleton({ width = '100%', height = 10 }: SkeletonProps) {
  return <span className={style.skeleton} style={{ width, height }} aria-hidden="true" />;
}

/** Skeleton lines of varied length, named for readers. */
export function SkeletonLines({
  label,
  rows,
  rowHeight,
}: {
  readonly label: string;
  readonly rows: number;
  readonly rowHeight: number;
}) {
  return (
    <div role="status" aria-label={label}>
      {Array.from({ length: rows }, (_, at) => (
        <div key={at} className={style.line} style={{ height: rowHeight }}>
          <Skeleton width={`${30 + ((at * 37) % 45)}%`} />
        </div>
      ))}
    </div>
  );
}
