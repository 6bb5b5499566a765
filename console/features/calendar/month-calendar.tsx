// A month of days, marked where there is something to see.
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react';
import { useId, useMemo } from 'react';
import { useT } from '../../language/use-t.ts';
import { IconButton } from '../../ui/buttons/icon-button.tsx';
import style from './month-calendar.module.css';
import { addDays, type CalendarDay, dayKey, daysInMonth, weekDay } from './zone-time.ts';

export interface Month {
  readonly year: number;
  /** 1 to 12. */
  readonly month: number;
}

export interface DayMark {
  /** A bar under the day: recordings, or what has been seen; `new` has a dot as well, so that colour is not the only sign. */
  readonly kind: 'recorded' | 'seen' | 'new';
  readonly said: (day: string) => string;
}

export interface MonthCalendarProps {
  /** In sight. */
  readonly month: Month;
  readonly onMonth: (month: Month) => void;
  readonly mark: (day: CalendarDay) => DayMark | null;
  readonly selected: CalendarDay | null;
  readonly today: CalendarDay;
  readonly onDay: (day: CalendarDay) => void;
}

export function MonthCalendar({ month, onMonth, mark, selected, today, onDay }: MonthCalendarProps) {
  const t = useT();
  const heading = useId();
  const first: CalendarDay = { ...month, day: 1 };
  const lead = weekDay(first) - 1;
  const days = Array.from({ length: daysInMonth(month.year, month.month) }, (_, at) => addDays(first, at));
  const turn = (count: number): void => {
    const moved = new Date(Date.UTC(month.year, month.month - 1 + count, 1));
    onMonth({ year: moved.getUTCFullYear(), month: moved.getUTCMonth() + 1 });
  };
  const named = useMemo(() => dayNames(t.shown), [t.shown]);
  return (
    <section className={style.calendar} aria-labelledby={heading}>
      <header className={style.header}>
        <h2 id={heading} className={style.month} aria-live="polite">
          {named.month(first)}
        </h2>
        <IconButton label={t('common.previousMonth')} size="small" onClick={() => turn(-1)}>
          <IconChevronLeft size={16} stroke={1.8} />
        </IconButton>
        <IconButton
          label={t('common.nextMonth')}
          size="small"
          disabled={month.year === today.year && month.month === today.month}
          onClick={() => turn(1)}
        >
          <IconChevronRight size={16} stroke={1.8} />
        </IconButton>
      </header>
      <div className={style.grid}>
        {Array.from({ length: 7 }, (_, at) => (
          // 2024-01-01 was a Monday.
          <span key={dayKey(addDays({ year: 2024, month: 1, day: 1 }, at))} className={style.week} aria-hidden="true">
            {named.weekday(addDays({ year: 2024, month: 1, day: 1 }, at))}
          </span>
        ))}
        {days.map((day, at) => {
          const marked = mark(day);
          const isSelected = selected !== null && dayKey(day) === dayKey(selected);
          const spoken = named.day(day);
          return (
            <button
              key={dayKey(day)}
              type="button"
              className={style.day}
              style={at === 0 ? { gridColumnStart: lead + 1 } : undefined}
              aria-label={marked?.said(spoken) ?? spoken}
              aria-pressed={isSelected}
              aria-current={dayKey(day) === dayKey(today) ? 'date' : undefined}
              data-marked={marked?.kind}
              disabled={dayKey(day) > dayKey(today)}
              onClick={() => onDay(day)}
            >
              {day.day}
            </button>
          );
        })}
      </div>
    </section>
  );
}

/** Formats are dear to make, and the calendar is drawn again with every seek. */
function dayNames(language: string) {
  const named = (options: Intl.DateTimeFormatOptions): ((day: CalendarDay) => string) => {
    const format = new Intl.DateTimeFormat(language, { ...options, timeZone: 'UTC' });
    return ({ year, month, day }) => format.format(Date.UTC(year, month - 1, day));
  };
  return {
    month: named({ year: 'numeric', month: 'long' }),
    weekday: named({ weekday: 'narrow' }),
    day: named({ weekday: 'long', day: 'numeric', month: 'long' }),
  };
}
