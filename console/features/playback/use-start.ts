// Where playback begins when nobody said: one minute before the newest picture of the last day.
import { DAY_MS } from '@vedette/foundation/units/durations.ts';
import { useQuery } from '@tanstack/react-query';
import { useServices } from '../../services/services.ts';
import { type PlaybackChannel, playbackChannelKey } from './playback-channel.ts';
import { askSpans } from './record-queries.ts';
import type { RecordSource } from './record-source.ts';

const BEFORE_END_MS = 60_000;

/** `at` is null where nothing was recorded within the last day, undefined while it is not known. */
export function useStart(channel: PlaybackChannel | null, source: RecordSource, isWanted: boolean) {
  const { caller, clock } = useServices();
  return useQuery({
    queryKey: ['playback/start', channel && playbackChannelKey(channel), source],
    enabled: channel !== null && isWanted,
    queryFn: async ({ signal }) => {
      if (!channel) return null;
      const now = clock.wallMs();
      const range = { startTime: now - DAY_MS, endTime: now };
      const rows = await askSpans(caller, { ...channel, ...range, srcType: source }, signal);
      const last = rows.toSorted((a, b) => a.endTime - b.endTime).at(-1);
      return last ? Math.max(last.startTime, last.endTime - BEFORE_END_MS) : null;
    },
    staleTime: 0,
    gcTime: 0,
  });
}
