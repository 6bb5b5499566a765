// Charges the time of pushes of the sites that are connected to this server to the packages that pay for them, and ends those whose package is used up.
import type { Clock } from '@vedette/foundation/time/clock.ts';
import type { Logger } from 'pino';
import type { Database } from '../../database/connection.ts';
import { chargeLives, meteredLives, packageTotal } from '../../database/media/cdn-package.queries.ts';
import type { SitesPort } from '../../site-link/site-port.ts';
import { pushesOf, stopLive } from './site-pushes.ts';

export interface CdnMeterOptions {
  readonly database: Database;
  readonly clock: Clock;
  readonly log: Logger;
  readonly site: SitesPort;
  /** Whether sites that are not connected here may be connected to another server. */
  readonly hasOtherServers: () => Promise<boolean>;
}

const ROUND_MS = 5000;
export const MINUTE_MS = 60_000;

export class CdnMeter {
  readonly #options: CdnMeterOptions;
  #cancelRound: () => void = () => undefined;
  #isClosed = false;

  constructor(options: CdnMeterOptions) {
    this.#options = options;
  }

  start(): void {
    const { clock, log } = this.#options;
    this.#cancelRound = clock.after(ROUND_MS, () => {
      this.#round()
        .catch((error: unknown) => log.warn({ err: error }, 'the time of CDN streams could not be charged'))
        .finally(() => {
          if (!this.#isClosed) this.start();
        });
    });
  }

  close(): void {
    this.#isClosed = true;
    this.#cancelRound();
  }

  async #round(): Promise<void> {
    const { database, clock, site, hasOtherServers } = this.#options;
    const lives = await meteredLives(database);
    if (lives.length === 0) return;
    const here = new Set(site.here().map(({ siteId }) => siteId));
    const bySite = await pushesOf(
      site,
      lives.map((live) => live.site_id).filter((siteId) => here.has(siteId)),
    );
    const isRunning = ({ live_id: liveId, site_id: siteId }: (typeof lives)[number]): boolean => {
      const push = bySite.get(siteId)?.get(liveId);
      return push !== undefined && push.state !== 'stopped';
    };
    const running = lives.filter(isRunning);
    // Another server charges what sites push that are connected there.
    const judged = (await hasOtherServers()) ? lives.filter(({ site_id: siteId }) => bySite.has(siteId)) : lives;
    await chargeLives(database, { judged: idsOf(judged), running: idsOf(running), now: clock.wallMs() });
    for (const [holderId, held] of Map.groupBy(running, (live) => live.holder_id)) {
      const { minutes, usedMs } = await packageTotal(database, holderId ?? '');
      if (usedMs >= minutes * MINUTE_MS) for (const live of held) await stopLive(this.#options, live);
    }
  }
}

function idsOf(lives: readonly { readonly live_id: string }[]): readonly string[] {
  return lives.map((live) => live.live_id);
}
