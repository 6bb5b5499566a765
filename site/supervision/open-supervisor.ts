// Opens the driver of one assigned device, with its pinned trust and its quarantine, and makes its supervisor.
import type { DeviceAssignment, SiteEvent } from '@vedette/contract/site/site.ts';
import type { DriverLog } from '@vedette/drivers/kit/driver-context.ts';
import { newTimedId } from '@vedette/foundation/random/ids.ts';
import type { Clock } from '@vedette/foundation/time/clock.ts';
import type { SignInLimiter } from '@vedette/media/source/sign-in-limiter.ts';
import type { DriverContexts } from '../driver-host/driver-contexts.ts';
import type { DriverHost } from '../driver-host/driver-host.ts';
import type { EventStatesFile } from '../state/event-states-file.ts';
import type { PinnedTrust } from '../state/pinned-trust.ts';
import { breachReport } from './breach-report.ts';
import { DeviceSupervisor, type DeviceSupervisorOptions } from './device-supervisor.ts';

export interface OpenSupervisorOptions {
  readonly clock: Clock;
  readonly driverContexts: DriverContexts;
  readonly drivers: DriverHost;
  readonly signInLimiter: SignInLimiter;
  readonly log: DriverLog;
  readonly report: (event: SiteEvent) => void;
  readonly eventStates: EventStatesFile;
  readonly pinnedTrust: PinnedTrust;
}

/** What the supervisor asks and reports beside its device. */
export interface SupervisorCallbacks
  extends Pick<DeviceSupervisorOptions, 'isDelivering' | 'probeEveryMs' | 'onState' | 'onReturned' | 'onDescribed'> {
  /** The device cost more than any may, and is left alone for a while. */
  readonly onQuarantined: () => void;
}

/** A supervisor, and what ends the connections of its driver. */
export interface Supervised {
  readonly supervisor: DeviceSupervisor;
  readonly closing: AbortController;
}

/** Null where this version has no such driver. */
export function openSupervisor(
  assignment: DeviceAssignment,
  options: OpenSupervisorOptions,
  { onQuarantined, ...callbacks }: SupervisorCallbacks,
): Supervised | null {
  const { deviceSerial, user, password, native, isOperatorAddress } = assignment;
  const { log, driverContexts, drivers, clock, signInLimiter, report } = options;
  const closing = new AbortController();
  const onHarm = breachReport({ deviceSerial, clock, log, report });
  const trust = options.pinnedTrust.of(assignment, onHarm);
  const driverContext = drivers.context({
    name: deviceSerial,
    isOperator: isOperatorAddress,
    trust,
    signal: closing.signal,
    onQuarantined: () => {
      onHarm('misbehaving');
      onQuarantined();
    },
  });
  const credentials = user === '' && password === '' ? null : { user, password, schemes: trust };
  const driver = driverContext.open(assignment.driver, native, credentials);
  if (!driver) {
    log.warn({ deviceSerial, driver: assignment.driver }, 'no such driver in this version');
    return null;
  }
  const supervisor = new DeviceSupervisor({
    ...callbacks,
    deviceSerial,
    driver,
    trust,
    context: driverContexts.context(isOperatorAddress, closing.signal, trust),
    clock,
    signInLimiter,
    log,
    memory: options.eventStates.of(deviceSerial),
    onEvent: (event) => report({ kind: 'deviceEvent', deviceSerial, eventId: newTimedId(event.at), ...event }),
  });
  return { supervisor, closing };
}
