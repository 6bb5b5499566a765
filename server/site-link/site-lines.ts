// Lines of sites to this server, and whether the local site is the one of its machine.
import { LOCAL_SITE } from '@vedette/contract/remote-site.ts';
import type { Logger } from 'pino';
import type { Database } from '../database/connection.ts';
import { claimLocalSite, type SiteLine, takeSiteLine } from '../database/device/site-line.queries.ts';
import { besideSite, isBeside } from './inside-site.ts';

interface SiteLinesOptions {
  readonly database: Database;
  readonly nodeId: string;
  readonly log: Logger;
}

export class SiteLines {
  readonly #options: SiteLinesOptions;
  /** Of the site process of this machine. */
  readonly insideSiteId: string;
  #besideEpoch = 0;

  private constructor(options: SiteLinesOptions, hasLocal: boolean) {
    this.#options = options;
    this.insideSiteId = hasLocal ? LOCAL_SITE : besideSite(options.nodeId);
  }

  static async open(options: SiteLinesOptions): Promise<SiteLines> {
    const hasLocal = await claimLocalSite(options.database, options.nodeId);
    if (!hasLocal)
      options.log.warn({}, 'the local site runs beside another server; the one of this machine has no cameras');
    return new SiteLines(options, hasLocal);
  }

  /** Ends the line of before, to whichever server. */
  readonly take = async (siteId: string): Promise<SiteLine> => {
    const { database, nodeId } = this.#options;
    if (!isBeside(siteId)) return await takeSiteLine(database, siteId, nodeId);
    // It dials no other server.
    this.#besideEpoch += 1;
    return { siteId, nodeId, epoch: this.#besideEpoch };
  };
}
