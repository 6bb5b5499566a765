// What devices can do, as they say themselves: it decides what is offered for them.
import { useQueries } from '@tanstack/react-query';
import { useCaller } from '../../services/services.ts';

const KNOWN_MS = 5 * 60_000;

/** In the order of the serials; undefined while it is not known, and where the device cannot be asked. */
export function useDeviceCapabilities(serials: readonly string[]): readonly (readonly string[] | undefined)[] {
  const caller = useCaller();
  return useQueries({
    queries: serials.map((deviceSerial) => ({
      queryKey: ['device/capacity', deviceSerial],
      queryFn: async ({ signal }: { readonly signal: AbortSignal }) =>
        (await caller.ask('device/capacity', { deviceSerial }, { signal, showError: false })).capabilities,
      staleTime: KNOWN_MS,
      retry: false,
    })),
  }).map(({ data }) => data);
}
