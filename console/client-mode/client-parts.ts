// What the entry of the client hands to everything that only a page inside a native shell does.
import type { QueryClient } from '@tanstack/react-query';
import type { Clock } from '@vedette/foundation/time/clock.ts';
import type { Caller } from '../calls/caller.ts';
import type { Session } from '../session/session.ts';

/** The part of the router that is used. */
export interface ClientRouter {
  readonly state: { readonly location: { readonly pathname: string; readonly search: string } };
  navigate(to: string, options?: { readonly replace?: boolean }): Promise<void>;
  subscribe(listener: () => void): () => void;
}

export interface ClientParts {
  readonly caller: Caller;
  /** Calls with another token than that of this page's session. */
  readonly callerWith: (token: string) => Caller;
  readonly session: Session;
  readonly clock: Clock;
  readonly queryClient: QueryClient;
  /** Drops everything fetched for the account. */
  readonly forgetData: () => void;
  /** When the server's configuration was read, or could not be. */
  readonly config: Promise<void>;
  /** Made when the page knows whether somebody is signed in. */
  readonly router: Promise<ClientRouter>;
}
