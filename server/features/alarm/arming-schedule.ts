// Arming schedule: whether motion and people of a channel raise alarms at an instant, for cameras without a plan of their own.
import type { ArmingRow } from '../../database/device/arming.queries.ts';
import { TYPES_OF_SECTION } from '@vedette/rules/alarm/burst-tuning.ts';
import { PlanClock } from '@vedette/rules/time-plan/plan-clock.ts';

/** Alarm types that follow the plan of their section. */
const TYPES: Readonly<Record<string, readonly string[]>> = TYPES_OF_SECTION;
const ARMED = 1;

export class ArmingSchedule {
  /** By device, channel and alarm type. */
  readonly #clocks = new Map<string, PlanClock>();

  constructor(rows: readonly ArmingRow[], timeZone: string) {
    for (const row of rows) {
      const days = row.plan.map(({ day, entryList }) => ({
        day,
        entryList: entryList.map((entry) => ({ ...entry, Type: ARMED })),
      }));
      const clock = new PlanClock({ days, holidays: [], timeZone: row.timeZone ?? timeZone });
      for (const type of TYPES[row.section] ?? []) this.#clocks.set(keyOf(row.deviceId, row.channelNo, type), clock);
    }
  }

  isArmed(deviceId: string, channelNo: number, type: string, at: number): boolean {
    const clock = this.#clocks.get(keyOf(deviceId, channelNo, type));
    return clock === undefined || clock.at(at).type === ARMED;
  }
}

function keyOf(deviceId: string, channelNo: number, type: string): string {
  return `${deviceId}/${channelNo}/${type}`;
}
