// The scrolling page of one section of System, and what stands there while it loads or after a failure.
import type { ReactNode } from 'react';
import { failureText } from '../../../calls/failure-text.ts';
import { useT } from '../../../language/use-t.ts';
import { Button } from '../../../ui/buttons/button.tsx';
import { SkeletonLines, StateView } from '../../../ui/feedback/state-view.tsx';
import style from './section-page.module.css';

export function SectionPage({ children }: { readonly children: ReactNode }) {
  return (
    <div className={style.page}>
      <div className={style.column}>{children}</div>
    </div>
  );
}

export interface SectionStateProps {
  readonly isPending: boolean;
  readonly error: unknown;
  readonly onRetry: () => void;
  /** In place of what is said of settings. */
  readonly title?: string;
}

/** For a section whose data is not there. */
export function SectionState({ isPending, error, onRetry, title }: SectionStateProps) {
  const t = useT();
  if (isPending)
    return (
      <div className={style.loading}>
        <SkeletonLines label={t('common.loading')} rows={12} rowHeight={36} />
      </div>
    );
  return (
    <StateView
      role="alert"
      title={title ?? t('system.error')}
      detail={failureText(t, error)}
      action={<Button onClick={onRetry}>{t('common.retry')}</Button>}
    />
  );
}
