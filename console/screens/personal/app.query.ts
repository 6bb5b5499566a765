// Apps as the own account sees them: those that it allowed, and those that it registered.
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useCaller } from '../../services/services.ts';

const GRANTS = ['oauth/grant/list'];
const APPS = ['app/list'];

export function useAppGrants() {
  const caller = useCaller();
  return useQuery({
    queryKey: GRANTS,
    queryFn: ({ signal }) => caller.ask('oauth/grant/list', {}, { signal, showError: false }),
  });
}

export function useApps() {
  const caller = useCaller();
  return useQuery({
    queryKey: APPS,
    queryFn: ({ signal }) => caller.ask('app/list', {}, { signal, showError: false }),
  });
}

/** After what changed one of them: deleting an app withdraws what was allowed to it. */
export function useFetchApps(): () => Promise<void> {
  const client = useQueryClient();
  return async () => {
    await Promise.all([GRANTS, APPS].map((queryKey) => client.invalidateQueries({ queryKey })));
  };
}
