// Meters each hour what copies in object stores take, at the sites that are connected to this server.
import { addCopyHour } from '../database/consumption/ledger.queries.ts';
import type { Database } from '../database/connection.ts';
import { hourOf } from '../database/statistic/statistic-due.queries.ts';
import { SitePoll, type SitePollOptions } from '../site-link/site-poll.ts';

export interface CopyHoursOptions extends Pick<SitePollOptions, 'clock' | 'log' | 'sites'> {
  readonly database: Database;
}

/** The first answer of an hour counts: a site that does not answer is asked again within it. */
export function copyHours({ database, ...options }: CopyHoursOptions): SitePoll {
  return new SitePoll({
    ...options,
    ask: async ({ siteId, site }) => {
      const { channels } = await site.call('cloudBacklog', {});
      await addCopyHour(database, { siteId, hour: hourOf(options.clock.wallMs()), channels });
    },
    failure: 'a site did not tell what its copies take',
  });
}
