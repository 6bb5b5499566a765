// The dense list of alarms: virtual rows, one current, any number chosen, arrow keys between them.
import { IconCamera, IconCheck, IconChecks, IconUserCheck } from '@tabler/icons-react';
import { useVirtualizer } from '@tanstack/react-virtual';
import type { Alarm } from '@vedette/contract/calls/alarm.ts';
import { formatClock, formatDate, formatDateTime, type TimeFormat } from '@vedette/rules/time-format.ts';
import { type Ref, useEffect, useImperativeHandle, useRef } from 'react';
import { useT } from '../../language/use-t.ts';
import { useTimeFormat } from '../../language/use-time-format.ts';
import { useIsPhone } from '../../ui/use-is-phone.ts';
import { AlarmIcon } from './alarm-icon.tsx';
import style from './alarm-rows.module.css';
import { alarmPlaceText, alarmTypeText, lastedText } from './alarm-words.ts';
import type { AlarmGroup } from './grouped-alarms.ts';

/** With a mouse, and with a finger. */
const ROW_PX = 40;
const FINGER_PX = 60;
const OVERSCAN = 12;
/** Rows before the end at which the next page is asked for. */
const AHEAD = 20;

export interface AlarmRowsHandle {
  readonly toTop: () => void;
  readonly focusRow: (alarmId: string) => void;
}

export interface AlarmRowsProps {
  readonly alarms: readonly Alarm[];
  readonly floods: ReadonlyMap<string, AlarmGroup>;
  /** Folds or unfolds the flood whose newest this is. */
  readonly onFlood: (alarmId: string) => void;
  readonly openId: string;
  readonly chosen: ReadonlySet<string>;
  readonly isStale: boolean;
  readonly onOpen: (alarm: Alarm) => void;
  readonly onChoose: (alarm: Alarm) => void;
  readonly onNearEnd: () => void;
  /** Away from the top. */
  readonly onScrolled: (isScrolled: boolean) => void;
  readonly ref?: Ref<AlarmRowsHandle>;
}

export function AlarmRows(props: AlarmRowsProps) {
  const t = useT();
  const { alarms, openId, onNearEnd, onScrolled } = props;
  const frame = useRef<HTMLDivElement>(null);
  const rowPx = useIsPhone() ? FINGER_PX : ROW_PX;
  const virtual = useVirtualizer({
    count: alarms.length,
    getScrollElement: () => frame.current,
    estimateSize: () => rowPx,
    overscan: OVERSCAN,
    getItemKey: (index) => alarms[index]?.alarmId ?? index,
  });
  useEffect(() => virtual.measure(), [virtual, rowPx]);
  const items = virtual.getVirtualItems();
  const last = items.at(-1)?.index ?? 0;
  useEffect(() => {
    if (last >= alarms.length - AHEAD) onNearEnd();
  }, [last, alarms.length, onNearEnd]);
  useImperativeHandle(props.ref, () => ({
    toTop: () => frame.current?.scrollTo({ top: 0 }),
    focusRow: (alarmId) => {
      const index = alarms.findIndex((alarm) => alarm.alarmId === alarmId);
      if (index >= 0) virtual.scrollToIndex(index, { align: 'auto' });
      requestAnimationFrame(() => frame.current?.querySelector<HTMLElement>(`[data-alarm="${alarmId}"]`)?.focus());
    },
  }));
  const tabStop = alarms.some((alarm) => alarm.alarmId === openId) ? openId : alarms[0]?.alarmId;
  return (
    <div
      ref={frame}
      className={style.frame}
      data-stale={props.isStale || undefined}
      onScroll={({ currentTarget }) => onScrolled(currentTarget.scrollTop > 0)}
    >
      <div
        role="grid"
        aria-label={t('alarms.list')}
        aria-rowcount={alarms.length}
        aria-multiselectable="true"
        style={{ height: virtual.getTotalSize() }}
        className={style.rows}
      >
        {items.map(({ index, start }) => {
          const alarm = alarms[index];
          if (alarm === undefined) return null;
          return (
            <AlarmRow
              key={alarm.alarmId}
              {...props}
              alarm={alarm}
              index={index}
              start={start}
              isTabStop={alarm.alarmId === tabStop}
            />
          );
        })}
      </div>
    </div>
  );
}

interface AlarmRowProps extends AlarmRowsProps {
  readonly alarm: Alarm;
  readonly index: number;
  readonly start: number;
  readonly isTabStop: boolean;
}

function AlarmRow(props: AlarmRowProps) {
  const { alarm, index, start, isTabStop, openId, chosen, onOpen, onChoose } = props;
  const t = useT();
  const format = useTimeFormat();
  const type = alarmTypeText(t, alarm.type);
  const place = alarmPlaceText(t, alarm);
  const isNew = alarm.state === 'new';
  const isPhone = useIsPhone();
  const name = t('alarms.toast', { type, place });
  return (
    <div
      role="row"
      className={style.row}
      data-alarm={alarm.alarmId}
      data-type={alarm.type}
      data-state={alarm.state}
      aria-rowindex={index + 1}
      aria-selected={alarm.alarmId === openId}
      tabIndex={isTabStop ? 0 : -1}
      style={{ transform: `translateY(${start}px)` }}
      onClick={({ target }) => {
        // Beside the box is chosen too, and nothing is opened by it.
        if (!(target instanceof Element && target.closest('label') !== null)) onOpen(alarm);
      }}
      onKeyDown={(event) => {
        if (event.key === 'Enter') onOpen(alarm);
        else if (event.key === ' ' && event.target === event.currentTarget) onChoose(alarm);
        else return;
        event.preventDefault();
      }}
    >
      <span role="gridcell" className={style.check}>
        <label className={style.choice}>
          <input
            type="checkbox"
            tabIndex={-1}
            checked={chosen.has(alarm.alarmId)}
            aria-label={t('alarms.choose', { name })}
            onChange={() => onChoose(alarm)}
          />
        </label>
      </span>
      <span role="gridcell" className={style.type}>
        <AlarmIcon group={alarm.group} severity={alarm.severity} label={t(`severity_${alarm.severity}`)} />
        <span className={style.name}>{type}</span>
        {alarm.repeatCount > 0 && <span className={style.repeats}>×{alarm.repeatCount + 1}</span>}
        {alarm.pictureTime !== null && (
          <IconCamera size={14} stroke={1.8} role="img" aria-label={t('alarms.picture')} />
        )}
        <GroupButton {...props} />
      </span>
      <span role="gridcell" className={style.place}>
        {place}
      </span>
      <span role="gridcell" className={style.organization}>
        {alarm.organizationName}
      </span>
      <span role="gridcell" className={style.time}>
        {isPhone ? shortTime(alarm.time, format) : formatDateTime(alarm.time, format)}
      </span>
      <span role="gridcell" className={style.lasted}>
        {alarm.endTime === null ? <span className={style.ongoing}>{t('alarms.ongoing')}</span> : lastedText(t, alarm)}
      </span>
      <span role="gridcell" className={style.state}>
        {isNew ? <span className={style.isNew}>{t('alarms.new')}</span> : <StateSign alarm={alarm} />}
      </span>
    </div>
  );
}

/** Today goes without saying. */
function shortTime(atMs: number, format: TimeFormat): string {
  const isToday = formatDate(atMs, format) === formatDate(Date.now(), format);
  return isToday ? formatClock(atMs, format) : formatDateTime(atMs, format, false);
}

function GroupButton({ alarm, floods, onFlood }: AlarmRowProps) {
  const t = useT();
  const flood = floods.get(alarm.alarmId);
  if (flood === undefined) return null;
  const { count, isOpen } = flood;
  const label = t(isOpen ? 'alarms.floodHide' : 'alarms.floodShow', { count });
  return (
    <button
      type="button"
      className={style.flood}
      data-flood={count}
      tabIndex={-1}
      aria-expanded={isOpen}
      aria-label={label}
      title={label}
      onClick={(event) => {
        event.stopPropagation();
        onFlood(alarm.alarmId);
      }}
    >
      <span className={style.sheets}>{count}</span>
    </button>
  );
}

function StateSign({ alarm: { state, assignedTo } }: { readonly alarm: Alarm }) {
  const t = useT();
  if (state === 'assigned') {
    const label = `${t('alarms.assignedTo')}: ${assignedTo}`;
    return <IconUserCheck size={15} stroke={1.8} role="img" aria-label={label} title={label} />;
  }
  const label = t(`alarmState_${state}`);
  const Icon = state === 'closed' ? IconChecks : IconCheck;
  return <Icon size={15} stroke={2} role="img" aria-label={label} title={label} />;
}
