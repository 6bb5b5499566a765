// Pushes as their sites know them, and how they are ended there.
import type { SitePush } from '@vedette/contract/site/site-cdn.ts';
import { CallError } from '../../core/call-error.ts';
import type { Database } from '../../database/connection.ts';
import { deleteLive } from '../../database/media/cdn.queries.ts';
import type { SitesPort } from '../../site-link/site-port.ts';

/** By live id. */
export type Pushes = ReadonlyMap<string, SitePush>;

/** By site; nothing of a site that is away, or of an earlier version. */
export async function pushesOf(site: SitesPort, siteIds: readonly string[]): Promise<ReadonlyMap<string, Pushes>> {
  const answers = await Promise.all(
    [...new Set(siteIds)].map(async (siteId) => {
      const at = site.at(siteId);
      if (!at.isOnline()) return [];
      try {
        const { pushes } = await at.call('pushes', {});
        return [[siteId, new Map(pushes.map((one) => [one.liveId, one]))] as const];
      } catch (error) {
        if (error instanceof CallError) return [];
        throw error;
      }
    }),
  );
  return new Map(answers.flat());
}

export interface StoppedLive {
  readonly live_id: string;
  readonly ticket_hash: string;
  readonly site_id: string;
}

/** Its ticket goes with the row: a site that is away ends the push when it is back. */
export async function stopLive(
  { database, site }: { readonly database: Database; readonly site: SitesPort },
  live: StoppedLive,
): Promise<void> {
  await deleteLive(database, live);
  const at = site.at(live.site_id);
  if (!at.isOnline()) return;
  try {
    await at.call('pushStop', { liveId: live.live_id });
  } catch (error) {
    if (!(error instanceof CallError)) throw error;
  }
}
