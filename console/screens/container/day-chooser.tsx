// The calendar of playback: follows the timeline, and can be turned to other months.
import { useState } from 'react';
import { Calendar } from '../../features/playback/calendar.tsx';
import type { PlaybackChannel } from '../../features/playback/playback-channel.ts';
import { useRecordedDays } from '../../features/playback/record-queries.ts';
import { type CalendarDay, dayKey, dayOf } from '../../features/playback/zone-time.ts';

export function DayChooser(props: {
  readonly channel: PlaybackChannel | null;
  readonly zone: string;
  readonly day: CalendarDay;
  readonly now: number;
  readonly onDay: (day: CalendarDay, isRecorded: boolean) => void;
}) {
  const { channel, zone, day, now, onDay } = props;
  const [turned, setTurned] = useState<{ readonly year: number; readonly month: number } | null>(null);
  // What the timeline shows wins again once it moves to another day.
  const shownKey = dayKey(day);
  const [turnedFor, setTurnedFor] = useState(shownKey);
  const month = turned !== null && turnedFor === shownKey ? turned : { year: day.year, month: day.month };
  const days = useRecordedDays(channel, month.year, month.month, zone);
  return (
    <Calendar
      month={month}
      onMonth={(next) => {
        setTurned(next);
        setTurnedFor(shownKey);
      }}
      recorded={days.data}
      selected={day}
      today={dayOf(zone, now)}
      onDay={(next) => onDay(next, days.data?.[next.day - 1] === 1)}
    />
  );
}
