// All resources of the account, fetched once and kept for every tree of the page.
import { useQuery } from '@tanstack/react-query';
import { allResources } from '../../calls/paged-calls.ts';
import { noteReceived } from '../../realtime/received-shares.ts';
import { useCaller } from '../../services/services.ts';

export const RESOURCES_KEY = ['resources'] as const;

export function useResources() {
  const caller = useCaller();
  return useQuery({
    queryKey: RESOURCES_KEY,
    queryFn: async ({ signal }) => {
      const resources = await allResources(caller, { signal, showError: false });
      noteReceived(resources);
      return resources;
    },
    staleTime: 60_000,
  });
}
