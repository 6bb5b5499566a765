// Days with alarms: a month whose days say how many there were, and how many still wait; a day becomes the filter.
import { IconCalendar, IconChevronLeft, IconChevronRight } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { type AlarmFilter, toCall } from '../../features/alarm/alarm-filter.ts';
import {
  addDays,
  dayBounds,
  dayKey,
  dayOf,
  daysInMonth,
  machineZone,
  weekDay,
} from '../../features/playback/zone-time.ts';
import { useT } from '../../language/use-t.ts';
import { useServices } from '../../services/services.ts';
import { IconButton } from '../../ui/icon-button.tsx';
import { Popover } from '../../ui/popover.tsx';
import style from './alarm-calendar.module.css';

export interface AlarmCalendarProps {
  readonly filter: AlarmFilter;
  readonly onChange: (part: Partial<AlarmFilter>) => void;
}

interface Month {
  readonly year: number;
  readonly month: number;
}

export function AlarmCalendar(props: AlarmCalendarProps) {
  const t = useT();
  const [isOpen, setOpen] = useState(false);
  return (
    <div className={style.control}>
      <Popover
        label={t('alarms.calendar')}
        isOpen={isOpen}
        onToggle={setOpen}
        side="bottom-start"
        width={284}
        control={
          <IconButton label={t('alarms.calendar')} aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
            <IconCalendar size={17} stroke={1.8} />
          </IconButton>
        }
      >
        {isOpen && <MonthOfAlarms {...props} onDone={() => setOpen(false)} />}
      </Popover>
    </div>
  );
}

function useCounts(filter: AlarmFilter, { year, month }: Month, zone: string) {
  const { caller } = useServices();
  const first = dayBounds(zone, { year, month, day: 1 }).start;
  const last = dayBounds(zone, { year, month, day: daysInMonth(year, month) }).end;
  const { startTime: _from, endTime: _to, ...rest } = toCall({ ...filter, time: 'any' }, 0);
  const input = { ...rest, startTime: first, endTime: last, groupBy: 'day' as const, timeZone: zone };
  return useQuery({
    queryKey: ['alarm/stats', input],
    queryFn: async ({ signal }) => {
      const { countList } = await caller.ask('alarm/stats', input, { signal, showError: false });
      return new Map(countList.map((row) => [row.key, row]));
    },
  });
}

function MonthOfAlarms({ filter, onChange, onDone }: AlarmCalendarProps & { readonly onDone: () => void }) {
  const t = useT();
  const { clock } = useServices();
  const zone = machineZone();
  const today = dayOf(zone, clock.now());
  const selected = filter.time === 'between' && filter.startTime !== null ? dayOf(zone, filter.startTime) : null;
  const [shown, setShown] = useState<Month>(selected ?? today);
  const { data } = useCounts(filter, shown, zone);
  const named = useMemo(() => monthNames(t.language), [t.language]);
  const turn = (count: number): void => {
    const moved = new Date(Date.UTC(shown.year, shown.month - 1 + count, 1));
    setShown({ year: moved.getUTCFullYear(), month: moved.getUTCMonth() + 1 });
  };
  const first = { ...shown, day: 1 };
  const days = Array.from({ length: daysInMonth(shown.year, shown.month) }, (_, at) => addDays(first, at));
  return (
    <div className={style.calendar}>
      <header className={style.header}>
        <h2 className={style.month} aria-live="polite">
          {named.month(Date.UTC(shown.year, shown.month - 1, 1))}
        </h2>
        <IconButton label={t('alarms.previousMonth')} size="small" onClick={() => turn(-1)}>
          <IconChevronLeft size={16} stroke={1.8} />
        </IconButton>
        <IconButton
          label={t('alarms.nextMonth')}
          size="small"
          disabled={shown.year === today.year && shown.month === today.month}
          onClick={() => turn(1)}
        >
          <IconChevronRight size={16} stroke={1.8} />
        </IconButton>
      </header>
      <div className={style.grid}>
        {Array.from({ length: 7 }, (_, at) => (
          // 2024-01-01 was a Monday.
          <span key={at} className={style.week} aria-hidden="true">
            {named.weekday(Date.UTC(2024, 0, 1 + at))}
          </span>
        ))}
        {days.map((day, at) => {
          const counted = data?.get(dayKey(day));
          const spoken = named.day(Date.UTC(day.year, day.month - 1, day.day));
          return (
            <button
              key={dayKey(day)}
              type="button"
              className={style.day}
              style={at === 0 ? { gridColumnStart: weekDay(first) } : undefined}
              aria-label={counted === undefined ? spoken : `${spoken}: ${t.plural('alarms.count', counted.count)}`}
              aria-pressed={selected !== null && dayKey(day) === dayKey(selected)}
              aria-current={dayKey(day) === dayKey(today) ? 'date' : undefined}
              data-marked={counted === undefined ? undefined : counted.newCount > 0 ? 'new' : 'seen'}
              disabled={dayKey(day) > dayKey(today)}
              onClick={() => {
                const { start, end } = dayBounds(zone, day);
                onChange({ time: 'between', startTime: start, endTime: end });
                onDone();
              }}
            >
              {day.day}
            </button>
          );
        })}
      </div>
    </div>
  );
}

function monthNames(language: string) {
  const named = (options: Intl.DateTimeFormatOptions): ((at: number) => string) => {
    const format = new Intl.DateTimeFormat(language, { ...options, timeZone: 'UTC' });
    return (at) => format.format(at);
  };
  return {
    month: named({ year: 'numeric', month: 'long' }),
    weekday: named({ weekday: 'narrow' }),
    day: named({ weekday: 'long', day: 'numeric', month: 'long' }),
  };
}
