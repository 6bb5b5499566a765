// When which classes of objects were seen, as the timeline asks for it: by day, and kept while it cannot change.
import { useQueries, type UseQueryResult } from '@tanstack/react-query';
import type { CallOutput } from '@vedette/contract/calls/calls.ts';
import { useCallback } from 'react';
import { useServices } from '../../../services/services.ts';
import { type CalendarDay, dayBounds, dayKey } from '../../calendar/zone-time.ts';
import { type CameraPlace, cameraKey } from '@vedette/rules/camera-key.ts';
import type { SeenRange } from '../timeline/seen-ranges.ts';

type Answer = CallOutput<'ai/sighting/timeline'>['rangeList'];

/** Less than a pixel where the timeline shows six hours. */
const MERGE_MS = 10_000;
/** A day that goes on is asked for again this often. */
const GROWING_MS = 15_000;

/** By the key of the channel. Empty where the viewer may not know, or nothing looked. */
export function useSeenRanges(
  channels: readonly CameraPlace[],
  days: readonly CalendarDay[],
  zone: string,
): ReadonlyMap<string, readonly SeenRange[]> {
  const { caller, clock } = useServices();
  const combine = useCallback(
    (results: readonly UseQueryResult<Answer>[]) =>
      byChannel(results.flatMap(({ data, error }) => (error ? [] : (data ?? [])))),
    [],
  );
  return useQueries({
    queries: days.map((day) => {
      const { start, end } = dayBounds(zone, day);
      const isGrowing = end > clock.wallMs();
      return {
        queryKey: ['ai/sighting/timeline', channels.map(cameraKey), dayKey(day), zone],
        enabled: channels.length > 0 && start <= clock.wallMs(),
        queryFn: async ({ signal }: { readonly signal: AbortSignal }) => {
          const asked = channels.map(({ deviceSerial, channelNo }) => ({ deviceSerial, channelNo }));
          const input = { channels: asked, startTime: start, endTime: end, mergeMs: MERGE_MS };
          return (await caller.ask('ai/sighting/timeline', input, { showError: false, signal })).rangeList;
        },
        staleTime: isGrowing ? GROWING_MS : 300_000,
        refetchInterval: isGrowing ? GROWING_MS : (false as const),
      };
    }),
    combine,
  });
}

function byChannel(rangeList: Answer): ReadonlyMap<string, readonly SeenRange[]> {
  const ranges = new Map<string, SeenRange[]>();
  for (const { objectClass, startTime: start, endTime: end, ...channel } of rangeList) {
    const key = cameraKey(channel);
    const known = ranges.get(key) ?? [];
    known.push({ objectClass, start, end });
    ranges.set(key, known);
  }
  return ranges;
}
