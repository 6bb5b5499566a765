// Measures what the recordings of each channel take, at the sites that are connected to this server.
import type { Database } from '../database/connection.ts';
import { storeStorageUse } from '../database/statistic/hour-store.queries.ts';
import { SitePoll, type SitePollOptions } from '../site-link/site-poll.ts';

export interface StorageUseOptions extends Pick<SitePollOptions, 'clock' | 'log' | 'sites'> {
  readonly database: Database;
}

/** Not more often: what recordings take changes slowly, and a site walks through all of its files for it. */
export function storageUse({ database, ...options }: StorageUseOptions): SitePoll {
  return new SitePoll({
    ...options,
    ask: async ({ siteId, site }) => {
      const { channels } = await site.call('storageUse', {});
      const uses = { siteId, uses: channels, at: options.clock.wallMs() };
      await database.transaction().execute((transaction) => storeStorageUse(transaction, uses));
    },
    failure: 'a site did not tell what its recordings take',
  });
}
