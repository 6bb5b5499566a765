// Sites that are connected to other servers of the same database.
import type { SitePort } from './site-port.ts';

export interface SitesElsewhere {
  /** Null where no other server that is reached has it. */
  readonly at: (siteId: string) => SitePort | null;
  readonly siteIds: () => readonly string[];
  /** `epoch`: of the line of the site to the other server; null: the other server does not have it any more. */
  readonly whenChanged: (callback: (siteId: string, epoch: number | null) => void) => void;
}

/** Of a server that is alone. */
export const NO_SITES_ELSEWHERE: SitesElsewhere = {
  at: () => null,
  siteIds: () => [],
  whenChanged: () => undefined,
};
