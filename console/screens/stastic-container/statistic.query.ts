// Statistics as the screen asks for them: one section over one range.
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { Statistics, StatisticRange } from '@vedette/contract/calls/statistic.ts';
import { useCaller } from '../../services/services.ts';

export const STATISTIC_SECTIONS = ['overview', 'device', 'alarm', 'storage', 'traffic'] as const;
export type StatisticSection = (typeof STATISTIC_SECTIONS)[number];

export interface AskedStatistics {
  readonly section: StatisticSection;
  readonly range: StatisticRange;
  /** Of a custom range; null while it is not chosen. */
  readonly startTime: number | null;
  readonly endTime: number | null;
}

const CALLS = {
  overview: 'stat/overview',
  device: 'stat/device',
  alarm: 'stat/alarm',
  storage: 'stat/storage',
  traffic: 'stat/traffic',
} as const satisfies Record<StatisticSection, string>;

const AGAIN_EVERY_MS = 60_000;

export function isWhole({ range, startTime, endTime }: AskedStatistics): boolean {
  return range !== 'custom' || (startTime !== null && endTime !== null && startTime < endTime);
}

export function useStatistics(asked: AskedStatistics) {
  const caller = useCaller();
  const { section, range, startTime, endTime } = asked;
  const custom = range === 'custom' && startTime !== null && endTime !== null ? { startTime, endTime } : {};
  return useQuery({
    queryKey: [CALLS[section], section, range, custom],
    queryFn: ({ signal }): Promise<Statistics> =>
      caller.ask(CALLS[section], { range, ...custom }, { signal, showError: false }),
    enabled: isWhole(asked),
    refetchInterval: AGAIN_EVERY_MS,
    // Of another range of the same section, which stays until the new one has come.
    placeholderData: (before, query) => (query?.queryKey[1] === section ? keepPreviousData(before) : undefined),
  });
}
