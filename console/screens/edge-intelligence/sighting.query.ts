// Sightings as the search asks for them: pages from the newest on, and the picture of each.
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import type { CallInput } from '@vedette/contract/calls/calls.ts';
import type { Sighting } from '@vedette/contract/calls/sighting.ts';
import { OBJECT_CLASSES, type ObjectClass } from '@vedette/contract/enumerations.ts';
import type { ScenePoint } from '@vedette/contract/site/site-analysis.ts';
import { cameraOfKey } from '@vedette/rules/camera-key.ts';
import { useCaller } from '../../services/services.ts';

export interface SightingFilter {
  /** Empty: all. */
  readonly classList: readonly ObjectClass[];
  /** A `cameraKey`; empty: all cameras. */
  readonly camera: string;
  readonly startTime: number | null;
  readonly endTime: number | null;
  /** Corners of the area of the camera's picture; null: all of it; empty: it is not drawn yet. */
  readonly zone: readonly ScenePoint[] | null;
}

/** Pages have as many as are looked at before somebody goes on. */
const PAGE_SIZE = 24;
/** What is seen now is found a little later. */
const AGAIN_MS = 10_000;
const PICTURES_KEPT_MS = 5 * 60_000;

/** Null where the range is not whole. */
export function sightingInput(filter: SightingFilter): CallInput<'ai/sighting/list'> | null {
  const { classList, camera, startTime, endTime, zone } = filter;
  if (startTime === null || endTime === null || endTime <= startTime) return null;
  return {
    classList: classList.length === 0 ? [...OBJECT_CLASSES] : [...classList],
    ...(camera !== '' && { devices: [cameraOfKey(camera)] }),
    ...(camera !== '' && zone !== null && zone.length > 0 && { zone: zone.map(({ x, y }) => ({ x, y })) }),
    startTime,
    endTime,
    pageSize: PAGE_SIZE,
  };
}

export function useSightings(filter: SightingFilter) {
  const caller = useCaller();
  const input = sightingInput(filter);
  return useInfiniteQuery({
    queryKey: ['ai/sighting/list', input],
    enabled: input !== null,
    queryFn: async ({ pageParam, signal }) => {
      if (input === null) return { sightingList: [], next: null };
      const page = pageParam === null ? input : { ...input, cursor: pageParam };
      return await caller.ask('ai/sighting/list', page, { signal, showError: false });
    },
    initialPageParam: null as string | null,
    getNextPageParam: ({ next }) => next,
    // Whoever went on to further pages looks at what was.
    refetchInterval: ({ state }) => ((state.data?.pages.length ?? 0) > 1 ? false : AGAIN_MS),
  });
}

/** Its address; undefined while it is fetched, null where there is none. */
export function useSightingPicture({ sightingId, hasPicture }: Sighting): string | null | undefined {
  const caller = useCaller();
  const { data, isError } = useQuery({
    queryKey: ['ai/sighting/picture', sightingId],
    enabled: hasPicture,
    queryFn: async ({ signal }) => {
      const { picture } = await caller.ask('ai/sighting/picture', { sightingId }, { signal, showError: false });
      return picture === null ? null : `data:image/jpeg;base64,${picture.data}`;
    },
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: PICTURES_KEPT_MS,
  });
  return !hasPicture || isError ? null : data;
}
