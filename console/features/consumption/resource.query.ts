// The resources of the own account as screens ask for them.
import { useQuery } from '@tanstack/react-query';
import { useCaller } from '../../services/services.ts';

const AGAIN_EVERY_MS = 60_000;

export function useResources() {
  const caller = useCaller();
  return useQuery({
    queryKey: ['resource/list'],
    queryFn: ({ signal }) => caller.ask('resource/list', {}, { signal, showError: false }),
    refetchInterval: AGAIN_EVERY_MS,
  });
}
