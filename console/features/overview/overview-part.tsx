// The frame of one part of the overview: its name, its number, where one acts on it, and its states.
import { type ReactNode, useId } from 'react';
import { Link } from 'react-router';
import { failureText } from '../../calls/failure-text.ts';
import { useT } from '../../language/use-t.ts';
import { Button } from '../../ui/buttons/button.tsx';
import { SkeletonLines, StateView } from '../../ui/feedback/state-view.tsx';
import style from './overview.module.css';

export interface PartQuery<T> {
  readonly data: T | undefined;
  readonly error: unknown;
  readonly refetch: () => unknown;
}

export interface OverviewPartProps<T> {
  readonly title: string;
  /** How many there are; left out while it is not known. */
  readonly count?: number | undefined;
  /** Where one acts on it, and its name where that shows something else than the rest of the list. */
  readonly to?: string;
  readonly toLabel?: string;
  readonly actions?: ReactNode;
  readonly isWide?: boolean;
  readonly query: PartQuery<T>;
  readonly children: (data: T) => ReactNode;
}

const ROWS = 4;
const ROW_HEIGHT = 44;

export function OverviewPart<T>({
  title,
  count,
  to,
  toLabel,
  actions,
  isWide = false,
  query,
  children,
}: OverviewPartProps<T>) {
  const t = useT();
  const id = useId();
  const { data } = query;
  return (
    <section className={style.part} aria-labelledby={id} data-wide={isWide || undefined}>
      <header className={style.head}>
        <h3 className={style.title} id={id}>
          {title}
        </h3>
        {count !== undefined && count > 0 && <span className={style.count}>{count}</span>}
        <span className={style.actions}>
          {actions}
          {to !== undefined && (
            <Link className={style.all} to={to} aria-describedby={id}>
              {toLabel ?? t('overview.showAll')}
            </Link>
          )}
        </span>
      </header>
      <div className={style.body}>{data === undefined ? <Unknown {...query} /> : children(data)}</div>
    </section>
  );
}

/** While it is on its way, and when it did not come. */
function Unknown({ error, refetch }: Pick<PartQuery<unknown>, 'error' | 'refetch'>) {
  const t = useT();
  if (error === null) return <SkeletonLines label={t('common.loading')} rows={ROWS} rowHeight={ROW_HEIGHT} />;
  return (
    <StateView
      isSmall
      role="alert"
      title={t('overview.failed')}
      detail={failureText(t, error)}
      action={<Button onClick={() => void refetch()}>{t('common.retry')}</Button>}
    />
  );
}
