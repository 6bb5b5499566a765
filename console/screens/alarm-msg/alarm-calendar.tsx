// Days with alarms: a month whose days say how many there were, and how many still wait; a day becomes the filter.
import { IconCalendar } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { type AlarmFilter, toCall } from '../../features/alarm/alarm-filter.ts';
import { type DayMark, type Month, MonthCalendar } from '../../features/calendar/month-calendar.tsx';
import {
  type CalendarDay,
  dayBounds,
  dayKey,
  dayOf,
  daysInMonth,
  machineZone,
} from '../../features/calendar/zone-time.ts';
import { useT } from '../../language/use-t.ts';
import { useServices } from '../../services/services.ts';
import { IconButton } from '../../ui/buttons/icon-button.tsx';
import { Popover } from '../../ui/overlays/popover.tsx';
import style from './alarm-calendar.module.css';

export interface AlarmCalendarProps {
  readonly filter: AlarmFilter;
  readonly onChange: (part: Partial<AlarmFilter>) => void;
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
  const today = dayOf(zone, clock.wallMs());
  const selected = filter.time === 'between' && filter.startTime !== null ? dayOf(zone, filter.startTime) : null;
  const [month, setMonth] = useState<Month>(selected ?? today);
  const { data } = useCounts(filter, month, zone);
  const mark = (day: CalendarDay): DayMark | null => {
    const counted = data?.get(dayKey(day));
    if (counted === undefined) return null;
    const said = (spoken: string): string => `${spoken}: ${t.plural('alarms.count', counted.count)}`;
    return { kind: counted.newCount > 0 ? 'new' : 'seen', said };
  };
  return (
    <MonthCalendar
      month={month}
      onMonth={setMonth}
      mark={mark}
      selected={selected}
      today={today}
      onDay={(day) => {
        const { start, end } = dayBounds(zone, day);
        onChange({ time: 'between', startTime: start, endTime: end });
        onDone();
      }}
    />
  );
}
