// Makes the cache of what the server answered, and says what is asked again by itself.
import { QueryClient } from '@tanstack/react-query';
import { CallFailure } from '../calls/call-failure.ts';

/** A browser that calls itself offline may well reach a server on its own machine; what truly fails says so at once, instead of being done later unseen. */
const IGNORES_BROWSER = { networkMode: 'always' } as const;

export function newQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: 10_000,
        // An answer with a code is final; only a lost connection is tried again.
        retry: (count, failure) => !(failure instanceof CallFailure) && count < 2,
        refetchOnWindowFocus: false,
        ...IGNORES_BROWSER,
        refetchOnReconnect: true,
      },
      mutations: IGNORES_BROWSER,
    },
  });
}
