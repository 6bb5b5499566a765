// Where playback begins when nobody said: one minute before the newest recording.
import { useQuery } from '@tanstack/react-query';
import type { Caller } from '../../calls/caller.ts';
import { useServices } from '../../services/services.ts';
import { addDays, type CalendarDay, dayBounds, dayOf } from '../calendar/zone-time.ts';
import { type PlaybackChannel, playbackChannelKey } from './playback-channel.ts';
import { askDays, askSpans } from './record-queries.ts';
import type { RecordSource } from './record-source.ts';
import { DAY_MS } from '@vedette/foundation/units/durations.ts';

const BEFORE_END_MS = 60_000;
/** Looked for in the calendar where the last day has nothing. */
const MOST_DAYS = 31;

export interface StartQuestion {
  readonly channel: PlaybackChannel | null;
  readonly source: RecordSource;
  readonly zone: string;
}

/** `at` is null where nothing was recorded within the last month, undefined while it is not known. */
export function useStart({ channel, source, zone }: StartQuestion, isWanted: boolean) {
  const { caller, clock } = useServices();
  return useQuery({
    queryKey: ['playback/start', channel && playbackChannelKey(channel), source, zone],
    enabled: channel !== null && isWanted,
    queryFn: async ({ signal }) => {
      if (!channel) return null;
      const now = clock.wallMs();
      const newest = async (startTime: number, endTime: number): Promise<number | null> => {
        const rows = await askSpans(caller, { ...channel, startTime, endTime, srcType: source }, signal);
        const last = rows.toSorted((a, b) => a.endTime - b.endTime).at(-1);
        return last ? Math.max(last.startTime, Math.min(last.endTime, endTime) - BEFORE_END_MS) : null;
      };
      const today = await newest(now - DAY_MS, now);
      if (today !== null) return today;
      const day = await lastDay(caller, { channel, source, zone }, { now, signal });
      if (day === null) return null;
      const { start, end } = dayBounds(zone, day);
      return await newest(start, end);
    },
    staleTime: 0,
    gcTime: 0,
  });
}

async function lastDay(
  caller: Caller,
  { channel, source, zone }: StartQuestion,
  { now, signal }: { readonly now: number; readonly signal: AbortSignal },
): Promise<CalendarDay | null> {
  if (!channel) return null;
  const today = dayOf(zone, now);
  const months = new Map<string, Promise<readonly number[]>>();
  for (let before = 0; before <= MOST_DAYS; before++) {
    const day = addDays(today, -before);
    const key = `${day.year}-${day.month}`;
    const flags =
      months.get(key) ?? askDays(caller, channel, { year: day.year, month: day.month, zone, source }, signal);
    months.set(key, flags);
    if ((await flags)[day.day - 1] === 1) return day;
  }
  return null;
}
