// The alarms of a day on the channels of playback, as a layer of the timeline that says what each was and why.
import { useQuery } from '@tanstack/react-query';
import type { Alarm } from '@vedette/contract/calls/alarm.ts';
import { useMemo } from 'react';
import { useT } from '../../language/use-t.ts';
import { useAlarmStore } from '../../realtime/alarm-store.ts';
import { useServices } from '../../services/services.ts';
import { useAuth } from '../../session/auth-store.ts';
import type { PlaybackChannel } from '../playback/playback-channel.ts';
import type { TimelineLayer } from '../playback/timeline/timeline-layers.ts';
import { createAlarmLayer } from './alarm-layer.ts';
import { alarmTypeText } from './alarm-words.ts';

/** More marks than this are no marks any more. */
const MOST = 200;
const NONE: readonly Alarm[] = [];

export function useAlarmLayer(options: {
  readonly channels: readonly PlaybackChannel[];
  readonly range: { readonly start: number; readonly end: number };
  readonly onJump: (at: number) => void;
}): TimelineLayer {
  const t = useT();
  const { caller, clock } = useServices();
  const { channels, range, onJump } = options;
  const userId = useAuth((auth) => auth.userId);
  const serials = useMemo(() => [...new Set(channels.map(({ deviceSerial }) => deviceSerial))].sort(), [channels]);
  const { start, end } = range;
  const { data = NONE } = useQuery({
    queryKey: ['alarm/list', 'timeline', userId, serials, start, end],
    enabled: serials.length > 0 && userId !== '',
    staleTime: 30_000,
    queryFn: async ({ signal }) => {
      const devices = serials.map((deviceSerial) => ({ deviceSerial }));
      const input = { devices, startTime: start, endTime: end, pageSize: MOST };
      return (await caller.ask('alarm/list', input, { signal, showError: false })).alarmList;
    },
  });
  const changed = useAlarmStore((state) => state.changed);
  return useMemo(() => {
    const known = new Map(data.map((alarm) => [alarm.alarmId, alarm]));
    for (const alarm of changed.values()) {
      if (serials.includes(alarm.deviceSerial) && alarm.time >= start && alarm.time < end)
        known.set(alarm.alarmId, alarm);
    }
    const nameOf = (alarm: Alarm): string => {
      const reason = t.find(`reason_${alarm.data['reason'] ?? ''}`);
      const type = alarmTypeText(t, alarm.type);
      return reason === undefined ? type : `${type}: ${reason}`;
    };
    return createAlarmLayer([...known.values()], { nameOf, onJump, now: () => clock.wallMs() });
  }, [data, changed, serials, start, end, t, onJump, clock]);
}
