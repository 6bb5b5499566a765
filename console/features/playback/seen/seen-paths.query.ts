// Where objects were in the picture of a channel around a time of its recordings, by parts of five minutes.
import { useQueries, type UseQueryResult } from '@tanstack/react-query';
import type { CallOutput } from '@vedette/contract/calls/calls.ts';
import { MINUTE_MS } from '@vedette/foundation/units/durations.ts';
import { useServices } from '../../../services/services.ts';
import type { ObjectTrack, SampleBox } from '../../object-boxes/object-track.ts';
import type { CameraPlace } from '@vedette/rules/camera-key.ts';

type PathList = CallOutput<'ai/sighting/path'>['pathList'];

const PART_MS = 5 * MINUTE_MS;
/** Sightings of a part come until so long after it, and are asked for again this often. */
const SETTLED_MS = 10 * MINUTE_MS;
const GROWING_MS = 15_000;
const NO_TRACKS: readonly ObjectTrack[] = [];

export function partOf(at: number): number {
  return Math.floor(at / PART_MS);
}

/** Of a part and the one after it, each object once; none while the part is null. */
export function useSeenPaths({ deviceSerial, channelNo }: CameraPlace, part: number | null): readonly ObjectTrack[] {
  const { caller, clock } = useServices();
  return useQueries({
    queries: (part === null ? [] : [part, part + 1]).map((one) => {
      const [startTime, endTime] = [one * PART_MS, (one + 1) * PART_MS];
      const isGrowing = endTime + SETTLED_MS > clock.wallMs();
      return {
        queryKey: ['ai/sighting/path', deviceSerial, channelNo, one],
        enabled: startTime <= clock.wallMs(),
        queryFn: async ({ signal }: { readonly signal: AbortSignal }) => {
          const input = { deviceSerial, channelNo, startTime, endTime };
          return (await caller.ask('ai/sighting/path', input, { showError: false, signal })).pathList;
        },
        staleTime: isGrowing ? GROWING_MS : 300_000,
        refetchInterval: isGrowing ? GROWING_MS : (false as const),
      };
    }),
    combine: tracksOf,
  });
}

function tracksOf(results: readonly UseQueryResult<PathList>[]): readonly ObjectTrack[] {
  const lists = results.flatMap(({ data, error }) => (error === null ? (data ?? []) : []));
  if (lists.length === 0) return NO_TRACKS;
  const tracks = lists.map((path) => [`${path.trackId} ${path.startTime}`, trackOf(path)] as const);
  return [...new Map(tracks).values()];
}

function trackOf({ objectClass, score, startTime, pointList }: PathList[number]): ObjectTrack {
  const samples = pointList.map(([afterMs = 0, ...box]) => ({
    at: startTime + afterMs,
    box: box as unknown as SampleBox,
  }));
  return { objectClass, score, samples };
}
