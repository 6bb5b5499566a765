// The inbox: the list of alarms that grows by itself, its filters, and one alarm in the inspector.
import { IconBell, IconBellOff, IconFileTypeCsv, IconVolume, IconVolumeOff } from '@tabler/icons-react';
import { type ReactNode, useMemo, useRef, useState } from 'react';
import { useNavigate } from 'react-router';
import type { Alarm } from '@vedette/contract/calls/alarm.ts';
import { AlarmDetails } from '../../features/alarm/alarm-details.tsx';
import {
  type AlarmFilter,
  isFiltered,
  NO_FILTER,
  readFilter,
  toCall,
  writeFilter,
} from '../../features/alarm/alarm-filter.ts';
import { useFetchAhead } from '../../features/alarm/alarm-snapshot.query.ts';
import { LastAlarmAge } from '../../features/alarm/last-alarm-age.tsx';
import { useGroupedAlarms } from '../../features/alarm/grouped-alarms.ts';
import { setAlarmSound, useAlarmSound } from '../../features/alarm/alarm-sound.ts';
import {
  canShowNotifications,
  setNotifications,
  useNotificationSwitch,
} from '../../features/desktop-notification/notification-switch.ts';
import { useAlarmExport } from '../../features/alarm/use-alarm-export.ts';
import { useAlarmPlayback } from '../../features/alarm/use-alarm-playback.ts';
import { useAlarmActions, useAlarmList } from '../../features/alarm/alarm.query.ts';
import { AlarmRows, type AlarmRowsHandle } from '../../features/alarm/alarm-rows.tsx';
import { useT } from '../../language/use-t.ts';
import { channelAddress, PATHS } from '../../navigation/paths.ts';
import { useServices } from '../../services/services.ts';
import { IconButton } from '../../ui/buttons/icon-button.tsx';
import { PageHeader } from '../../ui/layout/page-header.tsx';
import layout from '../../ui/layout/side-layout.module.css';
import { AlarmToolbar } from './alarm-toolbar.tsx';
import { ChosenWork } from './chosen-work.tsx';
import { InboxWork } from './inbox-work.tsx';
import { useAlarmKeys } from './use-alarm-keys.ts';
import { useChosen } from './use-chosen.ts';
import { useInboxAddress } from './use-inbox-address.ts';

/** Changes with the filter alone: a span of time that ends now must not be another question with every look. */
function useQuestion(filter: AlarmFilter) {
  const { clock } = useServices();
  const question = writeFilter({ ...filter, alarm: '' }).toString();
  return useMemo(() => toCall(readFilter(new URLSearchParams(question)), clock.wallMs()), [question, clock]);
}

export function AlarmInbox({ views }: { readonly views: ReactNode }) {
  const t = useT();
  const navigate = useNavigate();
  const { filter, newest, change } = useInboxAddress();
  const [isPointed, setPointed] = useState(false);
  const [isScrolled, setScrolled] = useState(false);
  const question = useQuestion(filter);
  const list = useGroupedAlarms(useAlarmList(question, isPointed || isScrolled));
  const file = useAlarmExport();
  const playback = useAlarmPlayback();
  const actions = useAlarmActions();
  const rows = useRef<AlarmRowsHandle>(null);
  const chosen = useChosen(list);
  const open = list.find(filter.alarm);
  const openRow = list.rowOf(filter.alarm);
  const place = openRow === undefined ? -2 : list.alarms.indexOf(openRow);
  useFetchAhead([list.alarms[place - 1], list.alarms[place + 1]]);
  const show = (alarm: Alarm | undefined): void => {
    change({ alarm: alarm?.alarmId ?? '' });
    if (alarm !== undefined) rows.current?.focusRow(alarm.alarmId);
  };
  /** By the address of this moment: what is shown follows it. */
  const openNow = (): Alarm | undefined => list.find(newest().alarm);
  const step = (by: 1 | -1): void => {
    const row = list.rowOf(newest().alarm);
    const at = row === undefined ? -1 : list.alarms.indexOf(row);
    const next = list.alarms[Math.min(Math.max(at + by, 0), list.alarms.length - 1)];
    if (next !== undefined) show(next);
  };
  const act = (alarms: readonly Alarm[], kind: 'acknowledge' | 'close', isWaiting: (one: Alarm) => boolean): void => {
    const waiting = list.whole(alarms).filter(isWaiting);
    if (waiting.length > 0) actions[kind].mutate(waiting.map(({ alarmId }) => alarmId));
    chosen.clear();
  };
  const acknowledge = (alarms: readonly Alarm[]): void => act(alarms, 'acknowledge', ({ state }) => state === 'new');
  const close = (alarms: readonly Alarm[]): void => act(alarms, 'close', ({ state }) => state !== 'closed');
  const playBack = (alarm: Alarm): void => playback.begin(list.alarms, alarm);
  const watch = (alarm: Alarm): void => void navigate(channelAddress(PATHS.liveVideo, alarm));
  const hide = (): void => show(undefined);
  const choose = (alarm: Alarm): void => chosen.toggle(list.rowOf(alarm.alarmId) ?? alarm);
  useAlarmKeys({ open: openNow, chosen, choose, step, acknowledge, closeAlarms: close, playBack, watch, close: hide });
  return (
    <>
      <div className={layout.middle}>
        <PageHeader title={t('screen.alarms')} fact={<LastAlarmAge />}>
          {chosen.list.length === 0 && (
            <>
              <SoundSwitch />
              {canShowNotifications() && <NotificationSwitch />}
              <IconButton
                label={file.isBusy ? t('alarms.exporting') : t('alarms.export')}
                disabled={file.isBusy}
                onClick={() => file.start(question)}
              >
                <IconFileTypeCsv size={18} stroke={1.7} />
              </IconButton>
            </>
          )}
          {chosen.list.length > 0 && (
            <ChosenWork chosen={chosen} actions={actions} onAcknowledge={acknowledge} onClose={close} />
          )}
        </PageHeader>
        {views}
        <AlarmToolbar filter={filter} onChange={(part) => change({ ...part, alarm: '' })} />
        <InboxWork
          list={list}
          isFiltered={isFiltered(filter)}
          onClear={() => change(NO_FILTER)}
          onPointed={setPointed}
          onShowHeld={() => {
            list.showHeld();
            rows.current?.toTop();
          }}
        >
          {(onNearEnd) => (
            <AlarmRows
              ref={rows}
              {...list.rows}
              openId={openRow?.alarmId ?? ''}
              chosen={chosen.ids}
              isStale={list.query.isPlaceholderData}
              onOpen={show}
              onChoose={choose}
              onNearEnd={onNearEnd}
              onScrolled={setScrolled}
            />
          )}
        </InboxWork>
      </div>
      {open !== undefined && (
        <AlarmDetails
          alarm={open}
          floodCount={list.whole([open]).length}
          isAcknowledging={actions.acknowledge.isPending}
          onAcknowledge={() => acknowledge([open])}
          onAlarmClose={() => close([open])}
          onAssign={(account) => actions.assign.mutateAsync({ alarm: open, account })}
          onComment={async (text) => await actions.comment.mutateAsync({ alarmId: open.alarmId, text })}
          onPlayBack={() => playBack(open)}
          onWatch={() => watch(open)}
          onDevice={() => void navigate(`${PATHS.deviceManage}?${new URLSearchParams({ device: open.deviceSerial })}`)}
          onStep={step}
          onClose={hide}
        />
      )}
    </>
  );
}

function SoundSwitch() {
  const t = useT();
  const { isOn } = useAlarmSound();
  const Icon = isOn ? IconVolume : IconVolumeOff;
  return (
    <IconButton label={t('alarms.sound')} isPressed={isOn} onClick={() => setAlarmSound(!isOn)}>
      <Icon size={18} stroke={1.7} />
    </IconButton>
  );
}

function NotificationSwitch() {
  const t = useT();
  const { isOn } = useNotificationSwitch();
  const Icon = isOn ? IconBell : IconBellOff;
  return (
    <IconButton label={t('alarms.notifications')} isPressed={isOn} onClick={() => setNotifications(!isOn)}>
      <Icon size={18} stroke={1.7} />
    </IconButton>
  );
}
