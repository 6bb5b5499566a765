// TCP reachability probe: finds within a moment that an offline device accepts connections again; sends nothing.
import { once } from 'node:events';
import type { DeviceEndpoint } from '@vedette/drivers/kit/driver.ts';
import type { DriverContext } from '@vedette/drivers/kit/driver-context.ts';
import type { Clock } from '@vedette/foundation/time/clock.ts';
import { wait } from '@vedette/foundation/time/wait.ts';

export interface ReachabilityProbeOptions {
  readonly endpoint: DeviceEndpoint;
  readonly context: Pick<DriverContext, 'dial'>;
  readonly clock: Clock;
  /** Longer the more devices are away: what is lost together, for example behind a switch, is not flooded with probes. */
  readonly everyMs: () => number;
  readonly signal: AbortSignal;
  /** It accepted no connection just before. */
  readonly isUnreachable: boolean;
}

const PROBE_TIMEOUT_MS = 1000;

/**
 * True when a device that accepted no connections accepts one; false after the signal, where it still accepts none or
 * accepted them from the start. Never rejects.
 */
export async function untilReachable(options: ReachabilityProbeOptions): Promise<boolean> {
  const { endpoint, context, clock, everyMs, signal } = options;
  for (let { isUnreachable } = options; ; isUnreachable = true) {
    await wait(clock, everyMs(), signal);
    if (signal.aborted) return false;
    if (!(await acceptsConnection(context, endpoint, signal))) continue;
    if (isUnreachable) return true;
    // It accepts connections without serving: only a check finds out more, and checks have their own pace.
    if (!signal.aborted) await once(signal, 'abort');
    return false;
  }
}

async function acceptsConnection(
  context: ReachabilityProbeOptions['context'],
  endpoint: DeviceEndpoint,
  signal: AbortSignal,
): Promise<boolean> {
  try {
    const socket = await context.dial({ ...endpoint, tls: false, timeoutMs: PROBE_TIMEOUT_MS, signal });
    socket.on('error', () => undefined);
    socket.destroy();
    return true;
  } catch {
    return false;
  }
}
