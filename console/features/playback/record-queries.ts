// Recorded spans and calendar days of a channel, fetched by day and by month and kept while they cannot change.
import { type GapReason, RECORD_SOURCE } from '@vedette/contract/enumerations.ts';
import { useQueries, useQuery, type UseQueryResult } from '@tanstack/react-query';
import type { RecordItem as RecordRow } from '@vedette/contract/entities.ts';
import { useCallback } from 'react';
import { CallFailure } from '../../calls/call-failure.ts';
import type { Caller } from '../../calls/caller.ts';
import { failureForViewer } from '../../realtime/received-shares.ts';
import { useCaller, useServices } from '../../services/services.ts';
import { type PlaybackChannel, playbackChannelKey, QUALITIES, type RecordedQuality } from './playback-channel.ts';
import { type RecordSource, useRecordSource } from './record-source.ts';
import { joinSpans, type RecordedSpan } from './timeline/recorded-spans.ts';
import { type CalendarDay, dayBounds, dayKey } from '../calendar/zone-time.ts';

/** A day that is still being recorded is asked for again this often. */
const GROWING_MS = 10_000;

export interface RecordedGap {
  readonly start: number;
  readonly end: number;
  readonly reason: GapReason;
}

export interface ChannelRecordings {
  readonly spans: readonly RecordedSpan[];
  readonly gaps: readonly RecordedGap[];
  /** Fetched from the device's own storage after an outage. */
  readonly backfilled: readonly { readonly start: number; readonly end: number }[];
  readonly failure: unknown;
}

interface DayRecordings {
  readonly rows: readonly RecordRow[];
  readonly gaps: readonly RecordedGap[];
}

/** What was recorded on some days, for each channel in order. */
export function useRecordings(
  channels: readonly PlaybackChannel[],
  days: readonly CalendarDay[],
  zone: string,
): readonly ChannelRecordings[] {
  const caller = useCaller();
  const { clock } = useServices();
  const source = useRecordSource();
  const combine = useCallback(
    (results: readonly UseQueryResult<DayRecordings>[]) =>
      Array.from({ length: days.length === 0 ? 0 : results.length / days.length }, (_, at) =>
        joinDays(channels[at], results.slice(at * days.length, (at + 1) * days.length)),
      ),
    [channels, days.length],
  );
  return useQueries({
    queries: channels.flatMap((channel) =>
      days.map((day) => {
        const { start, end } = dayBounds(zone, day);
        const isGrowing = end > clock.wallMs();
        return {
          queryKey: ['record/query', playbackChannelKey(channel), dayKey(day), zone, source],
          enabled: start <= clock.wallMs(),
          queryFn: ({ signal }: { readonly signal: AbortSignal }) =>
            askDay(caller, { ...channel, srcType: source, startTime: start, endTime: end }, signal),
          staleTime: isGrowing ? GROWING_MS : 300_000,
          refetchInterval: isGrowing ? GROWING_MS : (false as const),
        };
      }),
    ),
    combine,
  });
}

function joinDays(
  channel: PlaybackChannel | undefined,
  results: readonly UseQueryResult<DayRecordings>[],
): ChannelRecordings {
  const error = results.find((result) => result.error)?.error ?? null;
  const rows = results.flatMap((result) => shownOf(result)?.rows ?? []);
  return {
    spans: joinSpans(rows),
    backfilled: rows
      .filter(({ isFilled }) => isFilled)
      .map(({ startTime, endTime }) => ({ start: startTime, end: endTime })),
    gaps: results.flatMap((result) => shownOf(result)?.gaps ?? []),
    failure: channel ? failureForViewer(channel.deviceSerial, error) : error,
  };
}

/** What was seen before a right ended does not stay; over a lost connection it does. */
function shownOf<T>({ data, error }: { readonly data: T | undefined; readonly error: Error | null }): T | undefined {
  return error instanceof CallFailure ? undefined : data;
}

/** Of the first stream that we recorded; where there is none, of what the device keeps. */
async function askDay(caller: Caller, asked: SpansQuestion, signal: AbortSignal): Promise<DayRecordings> {
  let first: DayRecordings | null = null;
  for (const quality of QUALITIES) {
    const input = { ...asked, quality };
    const { recordList, gapList } = await caller.ask('record/query', input, { showError: false, signal });
    const gaps = gapList.map((gap) => ({ start: gap.startTime, end: gap.endTime, reason: gap.reason }));
    const found = { rows: recordList, gaps };
    if (recordList.some(({ srcType }) => srcType === RECORD_SOURCE.cloud)) return found;
    if (!first || (first.rows.length === 0 && recordList.length > 0)) first = found;
    if (asked.srcType === RECORD_SOURCE.local) break;
  }
  return first ?? { rows: [], gaps: [] };
}

export interface SpansQuestion extends PlaybackChannel {
  readonly quality?: RecordedQuality;
  readonly srcType: RecordSource;
  readonly startTime: number;
  readonly endTime: number;
}

export async function askSpans(caller: Caller, asked: SpansQuestion, signal: AbortSignal) {
  const { recordList } = await caller.ask('record/time', { ...asked }, { showError: false, signal });
  return recordList;
}

/** 31 flags, or undefined while they are not known. */
export function useRecordedDays(channel: PlaybackChannel | null, year: number, month: number, zone: string) {
  const caller = useCaller();
  const source = useRecordSource();
  const query = useQuery({
    queryKey: ['record/calendar', channel && playbackChannelKey(channel), year, month, zone, source],
    enabled: channel !== null,
    queryFn: async ({ signal }) => {
      if (!channel) return [];
      return askDays(caller, channel, { year, month, zone, source }, signal);
    },
    staleTime: 60_000,
  });
  return { ...query, data: shownOf(query) };
}

export interface MonthQuestion {
  readonly year: number;
  readonly month: number;
  readonly zone: string;
  readonly source: RecordSource;
}

export async function askDays(
  caller: Caller,
  channel: PlaybackChannel,
  { year, month, zone, source }: MonthQuestion,
  signal?: AbortSignal,
): Promise<readonly number[]> {
  const input = { ...channel, year, month, timeZone: zone, srcType: source };
  const { dailyList } = await caller.ask('record/calendar', input, { showError: false, ...(signal ? { signal } : {}) });
  return dailyList;
}
