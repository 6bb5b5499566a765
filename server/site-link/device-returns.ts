// Returns devices to the site where they belong: it records first, and only then the site that had them stops.
import type { Move } from '@vedette/rules/recorder-group/take-over.ts';
import { wait } from '@vedette/foundation/time/wait.ts';
import type { Clock } from '@vedette/foundation/time/clock.ts';
import type { Logger } from 'pino';
import { CallError } from '../core/call-error.ts';
import type { Database } from '../database/connection.ts';
import { type DeviceMove, moveDevices, channelsToRecord } from '../database/device/device-stay.queries.ts';
import type { AssignmentSync } from './assignment-sync.ts';
import type { SitePort, SitesPort } from './site-port.ts';

export interface DeviceReturnsDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly log: Logger;
  readonly sites: SitesPort;
  readonly sync: AssignmentSync;
}

/** A channel that is recorded by events alone may record nothing meanwhile. */
const RECORDS_WITHIN_MS = 20_000;
const LOOK_EVERY_MS = 500;

export class DeviceReturns {
  readonly #deps: DeviceReturnsDeps;

  constructor(deps: DeviceReturnsDeps) {
    this.#deps = deps;
  }

  /** All of one site; resolves once they are assigned to it. */
  readonly bring = async (moves: readonly Move[]): Promise<void> => {
    const { database, clock, sync, log } = this.#deps;
    const now = clock.wallMs();
    const moved = new Set(await database.transaction().execute((transaction) => moveDevices(transaction, moves, now)));
    const done = moves.filter(({ deviceId }) => moved.has(deviceId));
    if (done.length === 0) return;
    await sync.devicesMoved(new Set(done.map(({ to }) => to)));
    this.#release(done, now).catch((error: unknown) => {
      log.error({ err: error }, 'a site was not told that devices went back from it');
    });
  };

  /** A double for a while, never a gap. */
  async #release(moves: readonly DeviceMove[], since: number): Promise<void> {
    const { clock, sync, sites, log } = this.#deps;
    const until = clock.monotonicMs() + RECORDS_WITHIN_MS;
    for (const [siteId, ofSite] of Map.groupBy(moves, ({ to }) => to)) {
      const ids = ofSite.map(({ deviceId }) => deviceId);
      while (clock.monotonicMs() < until && !(await this.#isRecording(sites.at(siteId), ids, since)))
        await wait(clock, LOOK_EVERY_MS);
    }
    await sync.devicesMoved(new Set(moves.map(({ from }) => from)));
    log.info({ devices: moves.length }, 'devices went back to their sites');
  }

  /** Every channel that is recorded has recordings of after the return. */
  async #isRecording(site: SitePort, deviceIds: readonly string[], since: number): Promise<boolean> {
    const { database, clock } = this.#deps;
    const channels = await channelsToRecord(database, deviceIds);
    const range = { startTime: since, endTime: clock.wallMs() };
    try {
      const found = await Promise.all(
        channels.map(async ({ channel_id: channelId, record_quality: quality }) => {
          if (quality !== 0 && quality !== 1 && quality !== 2) return true;
          const { spans } = await site.call('recordings', { channelId, quality, ...range });
          return spans.length > 0;
        }),
      );
      return found.every(Boolean);
    } catch (error) {
      // A site that went away again is asked again, until its time is over.
      if (error instanceof CallError) return false;
      throw error;
    }
  }
}
