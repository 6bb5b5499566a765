// All resources of the account, fetched once and kept for every tree of the page.
import { useQuery } from '@tanstack/react-query';
import { allResources } from '../../calls/paged-calls.ts';
import { currentTranslate } from '../../language/language-store.ts';
import { noteReceived } from '../../realtime/received-shares.ts';
import { useCaller } from '../../services/services.ts';
import { cacheOrgTree, cachedNodeData } from '../../session/cached-lists.ts';

export const RESOURCES_KEY = ['resources'] as const;

export function useResources() {
  const caller = useCaller();
  return useQuery({
    queryKey: RESOURCES_KEY,
    queryFn: async ({ signal }) => {
      const resources = await allResources(caller, { signal, showError: false });
      noteReceived(resources);
      cacheOrgTree(currentTranslate()('org.root'), resources);
      return resources;
    },
    staleTime: 60_000,
  });
}

/** For what only shows them: after a reload those of before until the first answer. What acts on them waits for that. */
export function useShownResources() {
  const query = useResources();
  return { query, resources: query.data ?? (query.isPending ? cachedNodeData() : undefined) };
}
