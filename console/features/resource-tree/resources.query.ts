// All resources of the account, fetched once and kept for every tree of the page.
import { useQuery } from '@tanstack/react-query';
import { allResources } from '../../calls/paged-calls.ts';
import { useCaller } from '../../services/services.ts';

export const RESOURCES_KEY = ['resources'] as const;

export function useResources() {
  const caller = useCaller();
  return useQuery({
    queryKey: RESOURCES_KEY,
    queryFn: ({ signal }) => allResources(caller, { signal, showError: false }),
    staleTime: 60_000,
  });
}
