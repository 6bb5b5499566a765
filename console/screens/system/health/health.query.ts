// Health and versions as the operator asks for them.
import { useQuery } from '@tanstack/react-query';
import type { CallOutput } from '@vedette/contract/calls/calls.ts';
import { useCaller } from '../../../services/services.ts';

export type Health = CallOutput<'system/health/get'>;
export type Versions = CallOutput<'system/version/get'>;

/** As often as it is measured. */
const HEALTH_EVERY_MS = 10_000;

export function useInstallationHealth() {
  const caller = useCaller();
  return useQuery({
    queryKey: ['system/health/get'],
    queryFn: ({ signal }) => caller.ask('system/health/get', {}, { signal, showError: false }),
    refetchInterval: HEALTH_EVERY_MS,
  });
}

export function useVersions() {
  const caller = useCaller();
  return useQuery({
    queryKey: ['system/version/get'],
    queryFn: ({ signal }) => caller.ask('system/version/get', {}, { signal, showError: false }),
  });
}
