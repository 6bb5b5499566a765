// What stands where the list of alarms stands: rows, what is loading, failed or missing, and what waits to be shown.
import { IconArrowUp, IconBellCheck } from '@tabler/icons-react';
import { type ReactNode, useCallback } from 'react';
import { failureText } from '../../calls/failure-text.ts';
import type { AlarmList } from '../../features/alarm/alarm.query.ts';
import { useT } from '../../language/use-t.ts';
import { Button } from '../../ui/buttons/button.tsx';
import { LiveRegion } from '../../ui/feedback/live-region.tsx';
import { SkeletonLines, StateView } from '../../ui/feedback/state-view.tsx';
import style from './alarm-msg-screen.module.css';

const SKELETON_ROWS = 14;

export interface InboxWorkProps {
  readonly list: AlarmList;
  readonly isFiltered: boolean;
  readonly onClear: () => void;
  readonly onShowHeld: () => void;
  readonly onPointed: (isPointed: boolean) => void;
  readonly children: (onNearEnd: () => void) => ReactNode;
}

export function InboxWork({ list, isFiltered: hasFilter, onClear, onShowHeld, onPointed, children }: InboxWorkProps) {
  const t = useT();
  const { query, alarms, heldCount } = list;
  const { hasNextPage, isFetchingNextPage, isError, fetchNextPage } = query;
  const onNearEnd = useCallback(() => {
    // A page that failed is not asked for again and again.
    if (hasNextPage && !isFetchingNextPage && !isError) void fetchNextPage();
  }, [hasNextPage, isFetchingNextPage, isError, fetchNextPage]);
  if (query.isPending)
    return (
      <div className={style.loading}>
        <SkeletonLines label={t('common.loading')} rows={SKELETON_ROWS} rowHeight={40} />
      </div>
    );
  if (query.isError && alarms.length === 0)
    return (
      <StateView
        role="alert"
        title={t('alarms.error')}
        detail={failureText(t, query.error)}
        action={<Button onClick={() => void query.refetch()}>{t('common.retry')}</Button>}
      />
    );
  if (alarms.length === 0 && heldCount === 0)
    return hasFilter ? (
      <StateView title={t('alarms.noMatch')} action={<Button onClick={onClear}>{t('alarms.clearFilter')}</Button>} />
    ) : (
      <StateView
        icon={<IconBellCheck size={20} stroke={1.5} />}
        title={t('alarms.empty')}
        detail={t('alarms.emptyDetail')}
      />
    );
  return (
    // The button that lies over the first rows is pointed at with them; a list that has come under a resting pointer hears it move alone.
    <div className={style.work} onPointerMove={() => onPointed(true)} onPointerLeave={() => onPointed(false)}>
      {heldCount > 0 && (
        <button type="button" className={style.pill} onClick={onShowHeld}>
          <IconArrowUp size={14} stroke={2} aria-hidden="true" />
          {t.plural('alarms.arrived', heldCount)}
        </button>
      )}
      {children(onNearEnd)}
      <LiveRegion text={heldCount > 0 ? t.plural('alarms.arrived', heldCount) : ''} />
    </div>
  );
}
