// Recorded spans and calendar days of a channel, fetched by day and by month and kept while they cannot change.
import { useQueries, useQuery, type UseQueryResult } from '@tanstack/react-query';
import type { RecordItem as RecordRow } from '@vedette/contract/entities.ts';
import type { Caller } from '../../calls/caller.ts';
import { useCaller, useServices } from '../../services/services.ts';
import { type PlaybackChannel, playbackChannelKey } from './playback-channel.ts';
import { joinSpans, type RecordedSpan } from './recorded-spans.ts';
import { type CalendarDay, dayBounds, dayKey } from './zone-time.ts';

/** A day that is still being recorded is asked for again this often. */
const GROWING_MS = 10_000;

export interface RecordedSpans {
  readonly spans: readonly RecordedSpan[];
  readonly isLoading: boolean;
  readonly failure: unknown;
}

export function useRecordedSpans(
  channel: PlaybackChannel | null,
  days: readonly CalendarDay[],
  zone: string,
): RecordedSpans {
  const caller = useCaller();
  const { clock } = useServices();
  return useQueries({
    queries: days.map((day) => {
      const { start, end } = dayBounds(zone, day);
      const isGrowing = end > clock.now();
      return {
        queryKey: ['record/time', channel && playbackChannelKey(channel), dayKey(day), zone],
        enabled: channel !== null && start <= clock.now(),
        queryFn: ({ signal }: { readonly signal: AbortSignal }) => {
          if (!channel) return [];
          return askSpans(caller, channel, start, end, signal);
        },
        staleTime: isGrowing ? GROWING_MS : 300_000,
        refetchInterval: isGrowing ? GROWING_MS : (false as const),
      };
    }),
    combine: joinDays,
  });
}

function joinDays(results: readonly UseQueryResult<RecordRow[]>[]): RecordedSpans {
  return {
    spans: joinSpans(results.flatMap((result) => result.data ?? [])),
    isLoading: results.some((result) => result.isLoading),
    failure: results.find((result) => result.error)?.error ?? null,
  };
}

export async function askSpans(
  caller: Caller,
  channel: PlaybackChannel,
  startTime: number,
  endTime: number,
  signal: AbortSignal,
) {
  const { recordList } = await caller.ask(
    'record/time',
    { ...channel, startTime, endTime },
    { showError: false, signal },
  );
  return recordList;
}

/** 31 flags, or undefined while they are not known. */
export function useRecordedDays(channel: PlaybackChannel | null, year: number, month: number, zone: string) {
  const caller = useCaller();
  return useQuery({
    queryKey: ['record/calendar', channel && playbackChannelKey(channel), year, month, zone],
    enabled: channel !== null,
    queryFn: async ({ signal }) => {
      if (!channel) return [];
      return askDays(caller, channel, { year, month, zone }, signal);
    },
    staleTime: 60_000,
  });
}

export interface MonthQuestion {
  readonly year: number;
  readonly month: number;
  readonly zone: string;
}

export async function askDays(
  caller: Caller,
  channel: PlaybackChannel,
  { year, month, zone }: MonthQuestion,
  signal?: AbortSignal,
): Promise<readonly number[]> {
  const input = { ...channel, year, month, timeZone: zone };
  const { dailyList } = await caller.ask('record/calendar', input, { showError: false, ...(signal ? { signal } : {}) });
  return dailyList;
}
