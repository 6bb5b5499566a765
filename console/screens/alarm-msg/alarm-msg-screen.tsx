// alarmMsg: the list of alarms that grows by itself, its filters, and one alarm in the inspector.
import { IconArrowUp, IconBellCheck, IconCheck } from '@tabler/icons-react';
import { type ReactNode, useCallback, useMemo, useRef, useState } from 'react';
import { useNavigate, useSearchParams } from 'react-router';
import type { Alarm } from '@vedette/contract/calls/alarm.ts';
import { failureText } from '../../calls/failure-text.ts';
import { AlarmDetails } from '../../features/alarm/alarm-details.tsx';
import {
  type AlarmFilter,
  isFiltered,
  NO_FILTER,
  readFilter,
  toCall,
  writeFilter,
} from '../../features/alarm/alarm-filter.ts';
import { type AlarmList, useAlarmActions, useAlarmList } from '../../features/alarm/alarm.query.ts';
import { AlarmRows, type AlarmRowsHandle } from '../../features/alarm/alarm-rows.tsx';
import { useT } from '../../language/use-t.ts';
import { channelAddress, PATHS } from '../../navigation/paths.ts';
import { useServices } from '../../services/services.ts';
import { Button } from '../../ui/button.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { SkeletonLines, StateView } from '../../ui/state-view.tsx';
import style from './alarm-msg-screen.module.css';
import { AlarmToolbar } from './alarm-toolbar.tsx';
import { useAlarmKeys } from './use-alarm-keys.ts';
import { useChosen } from './use-chosen.ts';

const SKELETON_ROWS = 14;

function useFilter() {
  const [address, setAddress] = useSearchParams();
  const filter = useMemo(() => readFilter(address), [address]);
  const change = (part: Partial<AlarmFilter>): void =>
    setAddress(writeFilter({ ...filter, ...part }), { replace: true });
  return { filter, change };
}

/** Changes with the filter alone: a span of time that ends now must not be another question with every look. */
function useQuestion(filter: AlarmFilter) {
  const { clock } = useServices();
  const question = writeFilter({ ...filter, alarm: '' }).toString();
  return useMemo(() => toCall(readFilter(new URLSearchParams(question)), clock.now()), [question, clock]);
}

export function AlarmMsgScreen() {
  const t = useT();
  const navigate = useNavigate();
  const { filter, change } = useFilter();
  const [isHeld, setHeld] = useState(false);
  const list = useAlarmList(useQuestion(filter), isHeld);
  const actions = useAlarmActions();
  const rows = useRef<AlarmRowsHandle>(null);
  const chosen = useChosen(list.alarms);
  const open = list.alarms.find((alarm) => alarm.alarmId === filter.alarm);
  const show = (alarm: Alarm | undefined): void => {
    change({ alarm: alarm?.alarmId ?? '' });
    if (alarm !== undefined) rows.current?.focusRow(alarm.alarmId);
  };
  const step = (by: 1 | -1): void => {
    const at = open === undefined ? -1 : list.alarms.indexOf(open);
    const next = list.alarms[Math.min(Math.max(at + by, 0), list.alarms.length - 1)];
    if (next !== undefined) show(next);
  };
  const acknowledge = (alarms: readonly Alarm[]): void => {
    const waiting = alarms.filter(({ state }) => state === 'new').map(({ alarmId }) => alarmId);
    if (waiting.length > 0) actions.acknowledge.mutate(waiting);
    chosen.clear();
  };
  const playBack = (alarm: Alarm): void =>
    void navigate(`${channelAddress(PATHS.container, alarm)}&${new URLSearchParams({ time: String(alarm.time) })}`);
  const watch = (alarm: Alarm): void => void navigate(channelAddress(PATHS.liveVideo, alarm));
  useAlarmKeys({ open, chosen, step, acknowledge, playBack, watch, close: () => show(undefined) });
  return (
    <main className={style.screen}>
      <div className={style.middle}>
        <PageHeader title={t('screen.alarms')}>
          {chosen.list.length > 0 && (
            <>
              <span className={style.chosen}>{t.plural('alarms.chosen', chosen.list.length)}</span>
              <Button onClick={chosen.clear}>{t('alarms.clearChosen')}</Button>
              <Button
                look="primary"
                icon={<IconCheck size={16} stroke={2} />}
                isBusy={actions.acknowledge.isPending}
                onClick={() => acknowledge(chosen.list)}
              >
                {t.plural('alarms.acknowledgeChosen', chosen.list.length)}
              </Button>
            </>
          )}
        </PageHeader>
        <AlarmToolbar filter={filter} onChange={(part) => change({ ...part, alarm: '' })} />
        <Work
          list={list}
          isFiltered={isFiltered(filter)}
          onClear={() => change(NO_FILTER)}
          onShowHeld={() => {
            list.showHeld();
            rows.current?.toTop();
          }}
        >
          {(onNearEnd) => (
            <AlarmRows
              ref={rows}
              alarms={list.alarms}
              openId={filter.alarm}
              chosen={chosen.ids}
              isStale={list.query.isPlaceholderData}
              onOpen={show}
              onChoose={chosen.toggle}
              onNearEnd={onNearEnd}
              onHeld={setHeld}
            />
          )}
        </Work>
      </div>
      {open !== undefined && (
        <AlarmDetails
          alarm={open}
          isAcknowledging={actions.acknowledge.isPending}
          onAcknowledge={() => acknowledge([open])}
          onComment={async (text) => await actions.comment.mutateAsync({ alarmId: open.alarmId, text })}
          onPlayBack={() => playBack(open)}
          onWatch={() => watch(open)}
          onDevice={() => void navigate(`${PATHS.deviceManage}?${new URLSearchParams({ device: open.deviceSerial })}`)}
          onStep={step}
          onClose={() => show(undefined)}
        />
      )}
    </main>
  );
}

interface WorkProps {
  readonly list: AlarmList;
  readonly isFiltered: boolean;
  readonly onClear: () => void;
  readonly onShowHeld: () => void;
  readonly children: (onNearEnd: () => void) => ReactNode;
}

function Work({ list, isFiltered: hasFilter, onClear, onShowHeld, children }: WorkProps) {
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
    <div className={style.work}>
      {heldCount > 0 && (
        <button type="button" className={style.pill} onClick={onShowHeld}>
          <IconArrowUp size={14} stroke={2} aria-hidden="true" />
          {t.plural('alarms.arrived', heldCount)}
        </button>
      )}
      {children(onNearEnd)}
      <span className="visually-hidden" role="status">
        {heldCount > 0 ? t.plural('alarms.arrived', heldCount) : ''}
      </span>
    </div>
  );
}
