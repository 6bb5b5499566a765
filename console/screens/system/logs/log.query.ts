// The log as the screen asks for it: pages from the newest line back, and what is written while it is followed.
import { type InfiniteData, useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query';
import type { CallOutput } from '@vedette/contract/calls/calls.ts';
import type { LogLevel, LogLine, LogPart } from '@vedette/contract/calls/system-log.ts';
import { useMemo } from 'react';
import { useCaller } from '../../../services/services.ts';
import { mergeNewer } from './merge-newer.ts';

export interface LogFilter {
  readonly level: LogLevel;
  /** Null: all. */
  readonly part: LogPart | null;
  readonly keyWord: string;
  readonly startTime: number | null;
  readonly endTime: number | null;
}

type Page = CallOutput<'system/log/list'>;

const FOLLOW_EVERY_MS = 2000;
/** Processes write each on its own: a line of a moment ago may be found later than a newer one. */
const OVERLAP_MS = 5000;
const FOLLOWED_LINES = 500;
/** With more the list begins anew at its newest lines. */
const HELD_LINES = 5000;

export function logInput({ level, part, keyWord, startTime, endTime }: LogFilter) {
  return {
    level,
    ...(part !== null && { partList: [part] }),
    ...(keyWord.trim() !== '' && { keyWord: keyWord.trim() }),
    ...(startTime !== null && { startTime }),
    ...(endTime !== null && { endTime }),
  };
}

export function useLog(filter: LogFilter, isFollowed: boolean) {
  const caller = useCaller();
  const client = useQueryClient();
  const input = logInput(filter);
  const queryKey = ['system/log/list', input];
  const ask = (more: object, signal: AbortSignal) =>
    caller.ask('system/log/list', { ...input, ...more }, { signal, showError: false });
  const pages = useInfiniteQuery({
    queryKey,
    queryFn: ({ pageParam, signal }) => ask(pageParam === null ? {} : { cursor: pageParam }, signal),
    initialPageParam: null as string | null,
    getNextPageParam: ({ nextCursor }) => nextCursor,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
  const newer = useQuery({
    queryKey: ['system/log/list', 'newer', input],
    enabled: isFollowed && pages.data !== undefined,
    refetchInterval: FOLLOW_EVERY_MS,
    gcTime: 0,
    retry: false,
    queryFn: async ({ signal }) => {
      const held = client.getQueryData<InfiniteData<Page, string | null>>(queryKey);
      const [first, ...others] = held?.pages ?? [];
      if (held === undefined || first === undefined) return null;
      const since = Math.max(filter.startTime ?? 0, (first.lineList[0]?.time ?? 0) - OVERLAP_MS);
      const page = await ask({ startTime: since, pageSize: FOLLOWED_LINES }, signal);
      const lineList = mergeNewer(first.lineList, page.lineList);
      const isTooMuch = page.nextCursor !== null || lineList.length > HELD_LINES;
      const next = isTooMuch
        ? { pages: [await ask({}, signal)], pageParams: [null] }
        : { ...held, pages: [{ ...first, lineList }, ...others] };
      client.setQueryData(queryKey, next);
      return null;
    },
  });
  const lines = useMemo(
    (): readonly LogLine[] => pages.data?.pages.flatMap(({ lineList }) => lineList) ?? [],
    [pages.data],
  );
  const searchedTo = pages.data?.pages.at(-1)?.searchedTo ?? null;
  return { lines, searchedTo, pages, followError: isFollowed ? newer.error : null };
}
