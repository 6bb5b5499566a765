// Failback: returns devices to the site where they belong, which records first, and only then the site that had them stops.
import type { Move } from '@vedette/rules/recorder-group/take-over.ts';
import { wait } from '@vedette/foundation/time/wait.ts';
import type { Clock } from '@vedette/foundation/time/clock.ts';
import type { Logger } from 'pino';
import { CallError } from '../core/call-error.ts';
import type { Database } from '../database/connection.ts';
import {
  type ChannelToRecord,
  channelsToRecord,
  type DeviceMove,
  moveDevices,
} from '../database/device/device-stay.queries.ts';
import type { AssignmentSync } from './assignment-sync.ts';
import type { SitesPort } from './site-port.ts';

export interface DeviceFailbackDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly log: Logger;
  readonly sites: Pick<SitesPort, 'at'>;
  readonly sync: Pick<AssignmentSync, 'devicesMoved'>;
}

/** A channel that is recorded by events alone may record nothing meanwhile. */
const RECORDS_WITHIN_MS = 20_000;
const LOOK_EVERY_MS = 500;
/** Once the site is late: a camera that it does not reach is recorded by the other one. */
const LOOK_LATE_EVERY_MS = 5000;
/** With recordings of this time a site records now. */
const NOW_MS = 10_000;

interface Looked {
  readonly siteId: string;
  readonly since: number;
}

export class DeviceFailback {
  readonly #deps: DeviceFailbackDeps;
  #isClosed = false;

  constructor(deps: DeviceFailbackDeps) {
    this.#deps = deps;
  }

  close(): void {
    this.#isClosed = true;
  }

  /** All of one site; resolves once they are assigned to it. */
  readonly bring = async (moves: readonly Move[]): Promise<void> => {
    const { database, clock, sync, log } = this.#deps;
    const now = clock.wallMs();
    const moved = new Set(await database.transaction().execute((transaction) => moveDevices(transaction, moves, now)));
    const done = moves.filter(({ deviceId }) => moved.has(deviceId));
    if (done.length === 0) return;
    await sync.devicesMoved(new Set(done.map(({ to }) => to)));
    for (const [siteId, left] of Map.groupBy(done, ({ from }) => from)) {
      this.#release(siteId, left, now).catch((error: unknown) => {
        log.error({ err: error, siteId }, 'a site was not told that devices went back from it');
      });
    }
  };

  /** A double for a while, never a gap. */
  async #release(siteId: string, moves: readonly DeviceMove[], since: number): Promise<void> {
    const { clock, sync, log } = this.#deps;
    const late = clock.monotonicMs() + RECORDS_WITHIN_MS;
    while (!this.#isClosed && (await this.#isNeeded(siteId, moves, { since, isLate: clock.monotonicMs() >= late })))
      await wait(clock, clock.monotonicMs() < late ? LOOK_EVERY_MS : LOOK_LATE_EVERY_MS);
    if (this.#isClosed) return;
    await sync.devicesMoved(new Set([siteId]));
    log.info({ siteId, devices: moves.length }, 'devices went back to their sites');
  }

  /** Something is not recorded where it belongs; once that is late, only what the site that had it records still counts. */
  async #isNeeded(
    siteId: string,
    moves: readonly DeviceMove[],
    { since, isLate }: { readonly since: number; readonly isLate: boolean },
  ): Promise<boolean> {
    const ids = moves.map(({ deviceId }) => deviceId);
    const channels = await channelsToRecord(this.#deps.database, ids);
    const homes = new Set(moves.map(({ to }) => to));
    for (const channel of channels) {
      // It went on to another site meanwhile, or came back.
      if (!homes.has(channel.site_id)) continue;
      if (await this.#hasRecorded(channel, { siteId: channel.site_id, since })) continue;
      if (!isLate) return true;
      if (await this.#hasRecorded(channel, { siteId, since: this.#deps.clock.wallMs() - NOW_MS })) return true;
    }
    return false;
  }

  /** False of a site that is away. */
  async #hasRecorded(channel: ChannelToRecord, { siteId, since }: Looked): Promise<boolean> {
    const { clock, sites } = this.#deps;
    const { channel_id: channelId, record_quality: quality } = channel;
    if (quality !== 0 && quality !== 1 && quality !== 2) return true;
    try {
      const range = { startTime: since, endTime: clock.wallMs() };
      return (await sites.at(siteId).call('recordings', { channelId, quality, ...range })).spans.length > 0;
    } catch (error) {
      if (error instanceof CallError) return false;
      throw error;
    }
  }
}
