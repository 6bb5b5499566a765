// What the tree shows while it has no rows: loading, failed, empty, nothing found.
import { failureText } from '../../calls/failure-text.ts';
import { useT } from '../../language/use-t.ts';
import { Button } from '../../ui/buttons/button.tsx';
import { SkeletonLines, StateView } from '../../ui/feedback/state-view.tsx';
import style from './resource-tree.module.css';
import { useRowHeight } from './use-row-height.ts';
import type { ResourceTreeState as State } from './use-resource-tree.ts';

const SKELETON_ROWS = 10;

export function ResourceTreeState({
  state,
  scope,
}: {
  readonly state: State;
  readonly scope: 'channels' | 'organizations';
}) {
  const t = useT();
  const rowHeight = useRowHeight();
  const { query } = state;
  if (query.isPending)
    return (
      <div className={style.loading}>
        <SkeletonLines label={t('tree.loading')} rows={SKELETON_ROWS} rowHeight={rowHeight} />
      </div>
    );
  if (query.isError && query.data === undefined)
    return (
      <StateView
        isSmall
        role="alert"
        title={t('tree.error')}
        detail={failureText(t, query.error)}
        action={<Button onClick={() => void query.refetch()}>{t('common.retry')}</Button>}
      />
    );
  if (state.search !== null) return <StateView isSmall title={t('tree.noMatch', { keyWord: state.keyWord })} />;
  return <StateView isSmall title={t(scope === 'channels' ? 'tree.empty' : 'tree.emptyOrganizations')} />;
}
