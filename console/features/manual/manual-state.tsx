// What stands in place of the manual while it loads or cannot be loaded.
import { useT } from '../../language/use-t.ts';
import { Button } from '../../ui/buttons/button.tsx';
import { SkeletonLines, StateView } from '../../ui/feedback/state-view.tsx';
import style from './manual-finder.module.css';

const SKELETON_ROWS = 12;

export function ManualState({ hasFailed, onRetry }: { readonly hasFailed: boolean; readonly onRetry: () => void }) {
  const t = useT();
  if (!hasFailed) {
    return (
      <div className={style.loading}>
        <SkeletonLines label={t('common.loading')} rows={SKELETON_ROWS} rowHeight={24} />
      </div>
    );
  }
  return (
    <StateView
      role="alert"
      title={t('manual.failed')}
      detail={t('error.network')}
      action={<Button onClick={onRetry}>{t('common.retry')}</Button>}
    />
  );
}
