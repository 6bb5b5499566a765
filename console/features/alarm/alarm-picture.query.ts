// The picture of an alarm as an address that an image shows: fetched once, asked for again while a fresh one is still being recorded.
import { useQuery } from '@tanstack/react-query';
import type { Alarm } from '@vedette/contract/calls/alarm.ts';
import { useServices } from '../../services/services.ts';

export interface ShownPicture {
  readonly url: string;
  readonly time: number;
  readonly isTaken: boolean;
}

/** What was recorded just now is on the disk a moment later. */
const AGAIN_MS = 4000;
const FRESH_MS = 30_000;
const KEPT_MS = 5 * 60_000;

/** Undefined while it is fetched; null where there is none. What no image element shows, such as a single frame of video, counts as none. */
export function useAlarmPicture(alarm: Pick<Alarm, 'alarmId' | 'time' | 'channelNo' | 'pictureTime'>) {
  const { caller, clock } = useServices();
  const { alarmId, pictureTime, channelNo, time } = alarm;
  const { data } = useQuery({
    queryKey: ['alarm/picture', alarmId, pictureTime],
    queryFn: async ({ signal }): Promise<ShownPicture | null> => {
      const { picture } = await caller.ask('alarm/picture', { alarmId }, { signal, showError: false });
      if (picture === null || !picture.contentType.startsWith('image/')) return null;
      return {
        url: `data:${picture.contentType};base64,${picture.data}`,
        time: picture.time,
        isTaken: picture.isTaken,
      };
    },
    enabled: channelNo > 0,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: KEPT_MS,
    refetchInterval: ({ state }) => (state.data === null && clock.now() - time < FRESH_MS ? AGAIN_MS : false),
  });
  return channelNo > 0 ? data : null;
}
