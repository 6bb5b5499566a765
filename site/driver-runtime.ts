// Composes what talks to devices: driver contexts, the drivers' thread, and the measurement of this event loop's delay.
import type { Clock } from '@vedette/foundation/time/clock.ts';
import { SignInLimiter } from '@vedette/media/source/sign-in-limiter.ts';
import type { Logger } from 'pino';
import type { AssignmentCache } from './state/assignment-cache.ts';
import { Candidates } from './onboarding/candidates.ts';
import { DriverHost } from './driver-host/driver-host.ts';
import { startLoopThread } from './driver-host/loop-thread.ts';
import { DriverContexts } from './driver-host/driver-contexts.ts';
import type { Environment } from './process/environment.ts';
import { LoopDelay } from './core/loop-delay.ts';

export interface DriverRuntimeOptions {
  readonly clock: Clock;
  readonly log: Logger;
  readonly cache: Pick<AssignmentCache, 'settings'>;
  readonly environment: Pick<Environment, 'ownPorts' | 'logLevel'>;
}

export function createDriverRuntime({ clock, log, cache, environment }: DriverRuntimeOptions) {
  /** The RTSP port is added once it is known. */
  const ownPorts = new Set(environment.ownPorts);
  const cameraNetworks = () => cache.settings?.cameraNetworks ?? [];
  const driverContexts = new DriverContexts({ clock, log, ownPorts: () => ownPorts, cameraNetworks });
  const drivers = new DriverHost({
    clock,
    log,
    start: (on) => startLoopThread({ logLevel: environment.logLevel }, on),
    settings: () => ({ cameraNetworks: cameraNetworks(), ownPorts: [...ownPorts] }),
  });
  const signInLimiter = new SignInLimiter(clock);
  const candidates = new Candidates({ clock, driverContexts, drivers, signInLimiter });
  return { ownPorts, driverContexts, drivers, signInLimiter, candidates, loopDelay: new LoopDelay(clock) };
}
