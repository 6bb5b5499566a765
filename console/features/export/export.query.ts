// The exports of the account: the list, fetched often while something is under way, and what can be done to them.
import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { ExportTask } from '@vedette/contract/calls/record-export.ts';
import type { CallInput } from '@vedette/contract/calls/calls.ts';
import { useMemo } from 'react';
import { useCaller } from '../../services/services.ts';
import { useAuth } from '../../session/auth-store.ts';

const KEY = ['record/export/list'] as const;
const WHILE_PENDING_MS = 1000;
const NONE: readonly ExportTask[] = [];

export function isPending({ state }: ExportTask): boolean {
  return state === 'queued' || state === 'running';
}

export function useExports() {
  const caller = useCaller();
  const isSignedIn = useAuth((auth) => auth.accessToken !== '');
  const query = useQuery({
    queryKey: KEY,
    enabled: isSignedIn,
    queryFn: async ({ signal }) => (await caller.ask('record/export/list', {}, { signal, showError: false })).taskList,
    refetchInterval: ({ state }) => (state.data?.some(isPending) ? WHILE_PENDING_MS : false),
  });
  return { ...query, exports: query.data ?? NONE };
}

export type ExportOrder = CallInput<'record/export/start'>;

export function useExportActions() {
  const caller = useCaller();
  const client = useQueryClient();
  return useMemo(() => {
    const again = (): Promise<void> => client.invalidateQueries({ queryKey: KEY });
    return {
      start: async (order: ExportOrder): Promise<void> => {
        await caller.ask('record/export/start', order, { showError: false });
        await again();
      },
      /** Stops one under way, removes a finished one. */
      end: async (task: string): Promise<void> => {
        await caller.ask('record/export/cancel', { task });
        await again();
      },
      /** Asks for a ticket now: it must be used within a minute. */
      download: async (task: string, which: 'file' | 'manifest'): Promise<void> => {
        const { url, manifestUrl } = await caller.ask('record/export/status', { task });
        const address = which === 'file' ? url : manifestUrl;
        if (address === '') return again();
        save(address);
      },
    };
  }, [caller, client]);
}

/** The browser's own download: it goes on by ranges where it was cut. The name stands in the answer. */
function save(address: string): void {
  const { pathname } = new URL(address, location.href);
  const link = document.createElement('a');
  link.href = pathname;
  link.download = '';
  link.click();
}
