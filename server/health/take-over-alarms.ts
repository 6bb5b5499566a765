// Alarms of take-overs, for the operators: open as long as other sites have the cameras of a site, or nobody has them.
import type { Clock } from '@vedette/foundation/time/clock.ts';
import { INSTALLATION } from '../database/alarm/alarm-read.queries.ts';
import { DETECTED } from '../database/alarm/alarm-rows.ts';
import { operatorIds } from '../database/alarm/health.queries.ts';
import type { Database } from '../database/connection.ts';
import { type MemberWithDevices, membersWithDevices } from '../database/device/recorder-group.queries.ts';
import type { AlarmWriter } from '../features/alarm/alarm-writer.ts';

export interface TakeOverAlarmsOptions {
  readonly database: Database;
  readonly clock: Clock;
  readonly alarms: Pick<AlarmWriter, 'write'>;
}

export class TakeOverAlarms {
  readonly #options: TakeOverAlarmsOptions;
  /** By site: what is stored. A site that is missing is told anew after a start, which changes nothing in the database. */
  readonly #told = new Map<string, boolean>();

  constructor(options: TakeOverAlarmsOptions) {
    this.#options = options;
  }

  readonly look = async (): Promise<void> => {
    for (const member of await membersWithDevices(this.#options.database)) {
      const isTaken = member.taken_at !== null;
      if (this.#told.get(member.site_id) === isTaken) continue;
      await this.#tell(member, isTaken);
      this.#told.set(member.site_id, isTaken);
    }
  };

  async #tell(member: MemberWithDevices, isBad: boolean): Promise<void> {
    const { database, clock, alarms } = this.#options;
    const places = (await operatorIds(database)).map((ownerId) => ({
      deviceId: INSTALLATION,
      ownerId,
      source: `${DETECTED} take-over ${member.site_id} ${ownerId}`,
    }));
    const data = { site: member.site_name, withoutRoom: String(member.without_room) };
    await alarms.write({ whole: places }, async (batch) => {
      for (const place of places)
        batch.detected(place, { type: 'SiteTakenOver', channelNo: 0, isBad, at: clock.wallMs(), data });
    });
  }
}
