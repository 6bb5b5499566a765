// The newest alarms as thumbnails in a row above the wall: bursts are grouped, a click plays the alarm back or opens one without video, arrow keys move between them.
import { useQuery } from '@tanstack/react-query';
import type { Alarm } from '@vedette/contract/calls/alarm.ts';
import { type AlarmBurst, groupBursts } from '@vedette/rules/alarm/group-bursts.ts';
import { formatClock } from '@vedette/rules/time-format.ts';
import { type KeyboardEvent, useMemo, useRef } from 'react';
import { useNavigate } from 'react-router';
import { useT } from '../../language/use-t.ts';
import { useTimeFormat } from '../../language/use-time-format.ts';
import { PATHS } from '../../navigation/paths.ts';
import { useAlarmStore } from '../../realtime/alarm-store.ts';
import { useServices } from '../../services/services.ts';
import { useAuth } from '../../session/auth-store.ts';
import { ShownImage } from '../../ui/feedback/shown-image.tsx';
import { newestFirst, NO_FILTER, writeFilter } from './alarm-filter.ts';
import { AlarmIcon } from './alarm-icon.tsx';
import { useAlarmSnapshot } from './alarm-snapshot.query.ts';
import style from './alarm-strip.module.css';
import { alarmPlaceText, alarmTypeText } from './alarm-words.ts';
import { useAlarmPlayback } from './use-alarm-playback.ts';

/** As many as the widest screen shows, and a few more. */
const SHOWN = 20;
/** Floods fold: more is asked for than is shown. */
const ASKED = 60;
const SEVERITIES = ['critical', 'major', 'minor'] as const;

function useNewest(): readonly AlarmBurst<Alarm>[] | undefined {
  const { caller } = useServices();
  const userId = useAuth((auth) => auth.userId);
  const { data } = useQuery({
    queryKey: ['alarm/list', 'strip', userId],
    queryFn: async ({ signal }) => {
      const input = { severity: [...SEVERITIES], pageSize: ASKED };
      return (await caller.ask('alarm/list', input, { signal, showError: false })).alarmList;
    },
  });
  const arrived = useAlarmStore((state) => state.arrived);
  const changed = useAlarmStore((state) => state.changed);
  return useMemo(() => {
    if (data === undefined) return undefined;
    const lasting = [...changed.values()].filter(({ endTime }) => endTime === null);
    const found = [...data, ...arrived.map(({ alarm }) => alarm), ...lasting];
    const known = new Map(found.map((alarm) => [alarm.alarmId, alarm]));
    const alarms = [...known.values()]
      .filter(({ severity }) => severity !== 'info')
      .map((alarm) => changed.get(alarm.alarmId) ?? alarm)
      .sort(newestFirst);
    return groupBursts(alarms).slice(0, SHOWN);
  }, [data, arrived, changed]);
}

export function AlarmStrip() {
  const t = useT();
  const floods = useNewest();
  const playback = useAlarmPlayback();
  const navigate = useNavigate();
  const row = useRef<HTMLDivElement>(null);
  const heads = floods?.map(({ newest }) => newest) ?? [];
  const open = (alarm: Alarm): void => {
    if (hasVideo(alarm)) return playback.begin(heads, alarm);
    void navigate(`${PATHS.alarmMsg}?${writeFilter({ ...NO_FILTER, alarm: alarm.alarmId })}`);
  };
  return (
    <section className={style.strip} aria-label={t('alarms.strip')} data-alarm-strip>
      {floods?.length === 0 && <p className={style.empty}>{t('alarms.stripEmpty')}</p>}
      <div
        ref={row}
        className={style.row}
        role="toolbar"
        aria-label={t('alarms.strip')}
        onKeyDown={(event) => moveFocus(event, row.current)}
      >
        {floods?.map((flood, index) => (
          <AlarmCard
            key={flood.newest.alarmId}
            flood={flood}
            isTabStop={index === 0}
            onOpen={() => open(flood.newest)}
          />
        ))}
      </div>
    </section>
  );
}

interface AlarmCardProps {
  readonly flood: AlarmBurst<Alarm>;
  readonly isTabStop: boolean;
  readonly onOpen: () => void;
}

/** An alarm of a device as a whole has nothing to play. */
function hasVideo({ channelNo }: Alarm): boolean {
  return channelNo > 0;
}

function AlarmCard({ flood: { newest: alarm, members }, isTabStop, onOpen }: AlarmCardProps) {
  const t = useT();
  const format = useTimeFormat();
  const picture = useAlarmSnapshot(alarm);
  const type = alarmTypeText(t, alarm.type);
  const time = formatClock(alarm.time, format);
  const place = alarmPlaceText(t, alarm);
  return (
    <button
      type="button"
      className={style.card}
      data-strip-alarm={alarm.alarmId}
      data-type={alarm.type}
      data-state={alarm.state}
      tabIndex={isTabStop ? 0 : -1}
      title={t(hasVideo(alarm) ? 'alarms.stripPlay' : 'alarms.stripOpen', { type, place, time })}
      onClick={onOpen}
    >
      {picture ? (
        <ShownImage className={style.picture} src={picture.url} alt="" decoding="async" />
      ) : (
        <span className={style.none} data-loading={picture === undefined || undefined} />
      )}
      <span className={style.sign} data-on-picture>
        <AlarmIcon group={alarm.group} severity={alarm.severity} label={t(`severity_${alarm.severity}`)} />
        {members.length > 1 && <span className={style.count}>×{members.length}</span>}
      </span>
      <span className={style.words}>
        <span className={style.type}>{type}</span>
        <span className={style.place}>{place}</span>
      </span>
      <time className={style.time}>{time}</time>
    </button>
  );
}

function moveFocus(event: KeyboardEvent, row: HTMLElement | null): void {
  const cards = [...(row?.querySelectorAll<HTMLElement>('[data-strip-alarm]') ?? [])];
  const at = cards.indexOf(document.activeElement as HTMLElement);
  const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: cards.length - 1 }[event.key];
  const card = to === undefined ? undefined : cards[to];
  if (at < 0 || card === undefined) return;
  event.preventDefault();
  event.stopPropagation();
  card.focus();
  card.scrollIntoView({ block: 'nearest', inline: 'nearest' });
}
