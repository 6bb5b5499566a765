// The snapshot of an alarm as an image address: fetched once, polled while a fresh one is still being recorded.
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import type { Alarm } from '@vedette/contract/calls/alarm.ts';
import { useEffect, useEffectEvent } from 'react';
import type { Caller } from '../../calls/caller.ts';
import { useServices } from '../../services/services.ts';

export interface AlarmSnapshot {
  readonly url: string;
  readonly time: number;
  readonly isTaken: boolean;
}

/** What was recorded just now is on the disk a moment later. */
const AGAIN_MS = 4000;
const FRESH_MS = 30_000;
const KEPT_MS = 5 * 60_000;

type Pictured = Pick<Alarm, 'alarmId' | 'time' | 'channelNo' | 'pictureTime'>;

function pictureQuery(caller: Caller, { alarmId, pictureTime }: Pictured) {
  return queryOptions({
    queryKey: ['alarm/picture', alarmId, pictureTime],
    queryFn: async ({ signal }): Promise<AlarmSnapshot | null> => {
      const { picture } = await caller.ask('alarm/picture', { alarmId }, { signal, showError: false });
      if (picture === null || !picture.contentType.startsWith('image/')) return null;
      return {
        url: `data:${picture.contentType};base64,${picture.data}`,
        time: picture.time,
        isTaken: picture.isTaken,
      };
    },
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: KEPT_MS,
  });
}

/** Undefined while it is fetched; null where there is none. What no image element shows, such as a single frame of video, counts as none. */
export function useAlarmSnapshot(alarm: Pictured) {
  const { caller, clock } = useServices();
  const { channelNo, time } = alarm;
  const { data } = useQuery({
    ...pictureQuery(caller, alarm),
    enabled: channelNo > 0,
    refetchInterval: ({ state }) => (state.data === null && clock.wallMs() - time < FRESH_MS ? AGAIN_MS : false),
  });
  return channelNo > 0 ? data : null;
}

/** Those that come next are there when they are opened. */
export function useFetchAhead(alarms: readonly (Pictured | undefined)[]): void {
  const { caller } = useServices();
  const client = useQueryClient();
  const wanted = alarms.filter((alarm) => alarm !== undefined && alarm.channelNo > 0) as readonly Pictured[];
  const ids = wanted.map(({ alarmId }) => alarmId).join();
  const fetchAll = useEffectEvent(() => {
    for (const alarm of wanted) void client.prefetchQuery(pictureQuery(caller, alarm));
  });
  useEffect(() => fetchAll(), [ids]);
}
