// The versions of the clients as the screen asks for them.
import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { VersionInfo } from '@vedette/contract/calls/client-version.ts';
import { PAGE_SIZE } from '@vedette/contract/limits.ts';
import { useCaller } from '../../services/services.ts';

const LIST = 'version/list';

export function useVersions(pageStart: number) {
  const caller = useCaller();
  const input = { pageStart, pageSize: PAGE_SIZE.clientVersions };
  return useQuery({
    queryKey: [LIST, input],
    queryFn: async ({ signal }): Promise<{ total: number; versionList: readonly VersionInfo[] }> =>
      await caller.ask('version/list', input, { signal, showError: false }),
  });
}

export function useFetchVersions(): () => Promise<void> {
  const client = useQueryClient();
  return async () => await client.invalidateQueries({ queryKey: [LIST] });
}
