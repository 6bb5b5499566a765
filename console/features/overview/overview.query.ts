// What the overview asks the server for, each part by itself, again and again while it is in sight.
import { ALARM_SEVERITIES } from '@vedette/contract/alarm-types.ts';
import { DEVICE_STATUS } from '@vedette/contract/enumerations.ts';
import { DAY_MS } from '@vedette/foundation/units/durations.ts';
import { useQuery } from '@tanstack/react-query';
import { useServices } from '../../services/services.ts';

/** Rows of a part: more stand where it leads. */
export const SHOWN_ROWS = 5;
const AGAIN_MS = 30_000;
const GAPS_AGAIN_MS = 120_000;
/** The clock of the browser may be behind that of the server. */
const AHEAD_MS = DAY_MS;

export function useOpenAlarmCounts() {
  const { caller, clock } = useServices();
  return useQuery({
    // Under the name of the list, so that what makes that one stale makes these too.
    queryKey: ['alarm/list', 'open by severity'],
    queryFn: async ({ signal }) => {
      const range = { startTime: 0, endTime: clock.wallMs() + AHEAD_MS };
      const input = { ...range, state: 'new', groupBy: 'severity' } as const;
      const { countList, total } = await caller.ask('alarm/stats', input, { signal, showError: false });
      const counts = ALARM_SEVERITIES.map((severity) => ({
        severity,
        count: countList.find(({ key }) => key === severity)?.count ?? 0,
      }));
      return { total, counts: counts.toReversed() };
    },
    refetchInterval: AGAIN_MS,
  });
}

export function useOfflineDevices() {
  const { caller } = useServices();
  const input = {
    status: DEVICE_STATUS.offline,
    sortBy: 'latestOnline',
    sortOrder: 'desc',
    pageSize: SHOWN_ROWS,
  } as const;
  return useQuery({
    queryKey: ['device/list', input],
    queryFn: async ({ signal }) => {
      const offline = await caller.ask('device/list', { pageNo: 1, ...input }, { signal, showError: false });
      if (offline.total > 0) return { ...offline, hasDevices: true };
      const all = await caller.ask('device/list', { pageNo: 1, pageSize: 1 }, { signal, showError: false });
      return { ...offline, hasDevices: all.total > 0 };
    },
    refetchInterval: AGAIN_MS,
  });
}

export function useRecordingGaps() {
  const { caller, clock } = useServices();
  return useQuery({
    queryKey: ['record/gap/list'],
    queryFn: ({ signal }) => {
      const endTime = clock.wallMs();
      return caller.ask('record/gap/list', { startTime: endTime - DAY_MS, endTime }, { signal, showError: false });
    },
    refetchInterval: GAPS_AGAIN_MS,
  });
}
