// Settings and health of the installation, and saving them with the version that was seen.
import type { CallOutput } from '@vedette/contract/calls/calls.ts';
import type { SystemConfig } from '@vedette/contract/calls/system.ts';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useCaller } from '../../services/services.ts';

export type SystemSettings = CallOutput<'system/config/get'>;
export type SystemHealth = CallOutput<'system/health'>;

const CONFIG_KEY = ['system/config/get'];
const HEALTH_KEY = ['system/health'];
const HEALTH_EVERY_MS = 5000;

export function useSystemSettings() {
  const caller = useCaller();
  return useQuery({
    queryKey: CONFIG_KEY,
    queryFn: ({ signal }) => caller.ask('system/config/get', {}, { signal, showError: false }),
  });
}

export function useSystemHealth() {
  const caller = useCaller();
  return useQuery({
    queryKey: HEALTH_KEY,
    queryFn: ({ signal }) => caller.ask('system/health', {}, { signal, showError: false }),
    refetchInterval: HEALTH_EVERY_MS,
  });
}

const USE_EVERY_MS = 60_000;

/** What the recordings of each camera take, and the measured growth of all. */
export function useStorageUse() {
  const caller = useCaller();
  return useQuery({
    queryKey: ['system/storage/use'],
    queryFn: ({ signal }) => caller.ask('system/storage/use', {}, { signal, showError: false }),
    refetchInterval: USE_EVERY_MS,
  });
}

/** Rejects with 1010 where someone saved meanwhile; the newer settings are then fetched. */
export function useSaveSettings() {
  const caller = useCaller();
  const client = useQueryClient();
  return async (config: SystemConfig, version: number): Promise<void> => {
    try {
      const saved = await caller.ask('system/config/set', { config, version }, { showError: false });
      client.setQueryData<SystemSettings>(CONFIG_KEY, (before) =>
        before === undefined ? undefined : { ...before, ...saved },
      );
    } finally {
      await client.invalidateQueries({ queryKey: CONFIG_KEY });
      await client.invalidateQueries({ queryKey: HEALTH_KEY });
    }
  };
}
