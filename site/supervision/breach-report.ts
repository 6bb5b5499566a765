// Raises a security alarm when a device shows another identity than the one that was added, or harms the site; once per hour and kind.
import { VIRTUAL_ALARM_TOPIC } from '@vedette/contract/alarm-topics.ts';
import type { SiteEvent } from '@vedette/contract/site/site.ts';
import type { TrustBreach } from '@vedette/drivers/kit/device-trust.ts';
import type { DriverLog } from '@vedette/drivers/kit/driver-context.ts';
import type { Clock } from '@vedette/foundation/time/clock.ts';
import { newTimedId } from '@vedette/foundation/random/ids.ts';

export interface BreachReportOptions {
  readonly deviceSerial: string;
  readonly clock: Clock;
  readonly log: DriverLog;
  readonly report: (event: SiteEvent) => void;
}

/** The device is tried again each minute. */
const APART_MS = 3_600_000;

/** `misbehaving`: its answers cost more than those of any device may. */
export type Harm = TrustBreach | 'misbehaving';

export function breachReport({ deviceSerial, clock, log, report }: BreachReportOptions): (breach: Harm) => void {
  const reported = new Map<Harm, number>();
  return (breach) => {
    const [now, at] = [clock.monotonicMs(), Math.round(clock.wallMs())];
    if (now - (reported.get(breach) ?? -Infinity) < APART_MS) return;
    reported.set(breach, now);
    log.warn({ deviceSerial, breach }, 'what answers for the device does harm, or is not what was added');
    report({
      kind: 'deviceEvent',
      deviceSerial,
      eventId: newTimedId(at),
      topic: `${VIRTUAL_ALARM_TOPIC}/AttackDetected`,
      phase: 'pulse',
      channelNo: 0,
      key: breach,
      at,
      deviceAt: null,
      source: {},
      data: { breach },
    });
  };
}
