// The calendar of playback: follows the timeline, and can be turned to other months.
import { useState } from 'react';
import { type DayMark, type Month, MonthCalendar } from '../../features/calendar/month-calendar.tsx';
import type { PlaybackChannel } from '../../features/playback/playback-channel.ts';
import { useRecordedDays } from '../../features/playback/record-queries.ts';
import { type CalendarDay, dayKey, dayOf } from '../../features/calendar/zone-time.ts';
import { useT } from '../../language/use-t.ts';
import style from './playback-tab.module.css';

export function DayChooser(props: {
  readonly channel: PlaybackChannel | null;
  readonly zone: string;
  readonly day: CalendarDay;
  readonly now: number;
  readonly onDay: (day: CalendarDay, isRecorded: boolean) => void;
}) {
  const { channel, zone, day, now, onDay } = props;
  const t = useT();
  const [turned, setTurned] = useState<Month | null>(null);
  // What the timeline shows wins again once it moves to another day.
  const shownKey = dayKey(day);
  const [turnedFor, setTurnedFor] = useState(shownKey);
  const month = turned !== null && turnedFor === shownKey ? turned : { year: day.year, month: day.month };
  const days = useRecordedDays(channel, month.year, month.month, zone);
  const recorded: DayMark = { kind: 'recorded', said: (spoken) => t('playback.dayRecorded', { day: spoken }) };
  return (
    <div className={style.days}>
      <MonthCalendar
        month={month}
        onMonth={(next) => {
          setTurned(next);
          setTurnedFor(shownKey);
        }}
        mark={({ day: at }) => (days.data?.[at - 1] === 1 ? recorded : null)}
        selected={day}
        today={dayOf(zone, now)}
        onDay={(next) => onDay(next, days.data?.[next.day - 1] === 1)}
      />
    </div>
  );
}
