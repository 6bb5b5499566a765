// The driver context of tests: the real outbound client towards loopback, the real clock, and a log that is kept for looking at.
import { randomBytes } from 'node:crypto';
import type { DriverContext } from '../kit/driver-context.ts';
import { type CameraAccess, cameraPolicy } from '../kit/outbound/camera-policy.ts';
import { createOutboundClient, resolveBySystem } from '../kit/outbound/outbound-client.ts';

export interface TestContext extends DriverContext {
  /** Everything logged, as one text: must never hold a password. */
  readonly logged: () => string;
  /** Moves the clocks ahead of the real ones. */
  readonly advance: (ms: number) => void;
}

export function testContext(access: Partial<CameraAccess> = {}): TestContext {
  const lines: string[] = [];
  let ahead = 0;
  const log = (fields: object, message: string) => lines.push(`${message} ${JSON.stringify(fields)}`);
  const policy = cameraPolicy({
    isOperator: true,
    cameraNetworks: [],
    ownPorts: new Set(),
    ownAddresses: [],
    ...access,
  });
  return {
    ...createOutboundClient({ resolve: resolveBySystem, policy: () => policy }),
    clock: {
      wallMs: () => Date.now() + ahead,
      monotonicMs: () => performance.now() + ahead,
      after: (ms, run) => {
        const timer = setTimeout(run, ms);
        return () => clearTimeout(timer);
      },
    },
    randomBytes,
    log: { debug: log, info: log, warn: log },
    signal: new AbortController().signal,
    logged: () => lines.join('\n'),
    advance: (ms) => {
      ahead += ms;
    },
  };
}
