// What the entry file builds once and every component may reach: calls, session, mode.
import { createContext, useContext } from 'react';
import type { Clock } from '@vedette/foundation/time/clock.ts';
import type { Caller } from '../calls/caller.ts';
import type { Session } from '../session/session.ts';

/** Web console by history; inside a native shell, or framed by an app's page, by hash. */
export type ConsoleMode = 'web' | 'client';

export interface Services {
  readonly mode: ConsoleMode;
  readonly caller: Caller;
  readonly session: Session;
  readonly clock: Clock;
}

export const ServicesContext = createContext<Services | null>(null);

export function useServices(): Services {
  const services = useContext(ServicesContext);
  if (services === null) throw new Error('services are missing');
  return services;
}

export function useCaller(): Caller {
  return useServices().caller;
}
