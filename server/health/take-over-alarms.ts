// Alarms of take-overs, for the operators: open as long as other sites have the cameras of a site, or nobody has them.
import type { Clock } from '@vedette/foundation/time/clock.ts';
import { INSTALLATION } from '../database/alarm/alarm-read.queries.ts';
import { DETECTED } from '../database/alarm/alarm-rows.ts';
import { openDetectedProblems, operatorIds } from '../database/alarm/health.queries.ts';
import type { Database } from '../database/connection.ts';
import { membersWithDevices } from '../database/device/recorder-group.queries.ts';
import type { AlarmWriter } from '../features/alarm/alarm-writer.ts';

export interface TakeOverAlarmsOptions {
  readonly database: Database;
  readonly clock: Clock;
  readonly alarms: Pick<AlarmWriter, 'write'>;
}

const SOURCE = `${DETECTED} take-over `;

export class TakeOverAlarms {
  readonly #options: TakeOverAlarmsOptions;
  /** Sites with an open alarm; null until it was read after the start. */
  #open: Set<string> | null = null;

  constructor(options: TakeOverAlarmsOptions) {
    this.#options = options;
  }

  readonly look = async (): Promise<void> => {
    const { database } = this.#options;
    this.#open ??= await openBefore(database);
    const members = await membersWithDevices(database);
    const taken = members.filter((member) => member.taken_at !== null);
    for (const { site_id: siteId, site_name: site, without_room: withoutRoom } of taken) {
      if (this.#open.has(siteId)) continue;
      await this.#tell(siteId, { isBad: true, data: { site, withoutRoom: String(withoutRoom) } });
      this.#open.add(siteId);
    }
    // Also of a site that left its group: nobody watches over it any more.
    const isTaken = new Set(taken.map((member) => member.site_id));
    for (const siteId of this.#open) {
      if (isTaken.has(siteId)) continue;
      await this.#tell(siteId, { isBad: false, data: {} });
      this.#open.delete(siteId);
    }
  };

  async #tell(
    siteId: string,
    { isBad, data }: { readonly isBad: boolean; readonly data: Readonly<Record<string, string>> },
  ): Promise<void> {
    const { database, clock, alarms } = this.#options;
    const places = (await operatorIds(database)).map((ownerId) => ({
      deviceId: INSTALLATION,
      ownerId,
      source: `${SOURCE}${siteId} ${ownerId}`,
    }));
    await alarms.write({ whole: places }, async (batch) => {
      for (const place of places)
        batch.detected(place, { type: 'SiteTakenOver', channelNo: 0, isBad, at: clock.wallMs(), data });
    });
  }
}

/** Sites whose alarm an earlier run left open. */
async function openBefore(database: Database): Promise<Set<string>> {
  const open = await openDetectedProblems(database);
  return new Set(
    open.flatMap(({ source_key: key }) =>
      key.startsWith(SOURCE) ? [key.slice(SOURCE.length).split(' ')[0] ?? ''] : [],
    ),
  );
}
