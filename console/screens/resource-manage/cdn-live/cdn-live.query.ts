// CDN streams and providers as the section asks for them and changes them.
import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { CallInput, CallPath } from '@vedette/contract/calls/calls.ts';
import { useCaller } from '../../../services/services.ts';

const LIVES = ['cdn/video/list'];
const PROVIDERS = ['cdn/provider/list'];
/** States and bit rates move while somebody looks. */
const AGAIN_MS = 2000;

export function useLives() {
  const caller = useCaller();
  return useQuery({
    queryKey: LIVES,
    queryFn: ({ signal }) => caller.ask('cdn/video/list', {}, { signal, showError: false }),
    refetchInterval: AGAIN_MS,
  });
}

export function useProviders() {
  const caller = useCaller();
  return useQuery({
    queryKey: PROVIDERS,
    queryFn: async ({ signal }) =>
      (await caller.ask('cdn/provider/list', {}, { signal, showError: false })).providerList,
  });
}

type ChangePath = Extract<
  CallPath,
  'cdn/provider/save' | 'cdn/provider/delete' | 'cdn/live/stop' | 'cdn/code/activate'
>;

/** Makes one of the changing calls, then fetches both lists again. */
export function useCdnChange(): <P extends ChangePath>(path: P, input: CallInput<P>) => Promise<void> {
  const caller = useCaller();
  const fetchAgain = useFetchAgain();
  return async (path, input) => {
    try {
      await caller.ask(path, input, { showError: false });
    } finally {
      await fetchAgain();
    }
  };
}

/** Gets an address of the provider and starts the stream there. */
export function useStartLive(): (input: CallInput<'cdn/live/get'>) => Promise<void> {
  const caller = useCaller();
  const fetchAgain = useFetchAgain();
  return async (input) => {
    try {
      const { url } = await caller.ask('cdn/live/get', input, { showError: false });
      await caller.ask('cdn/live/start', { url }, { showError: false });
    } finally {
      await fetchAgain();
    }
  };
}

function useFetchAgain(): () => Promise<void> {
  const client = useQueryClient();
  return async () => {
    await Promise.all([LIVES, PROVIDERS].map((queryKey) => client.invalidateQueries({ queryKey })));
  };
}
