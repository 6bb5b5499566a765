// Port of the server to one site, and to all of them.
import type { SiteCallName, SiteCalls } from '@vedette/contract/site/site.ts';

export interface SitePort {
  readonly isOnline: () => boolean;
  /** Of native clients; null while the site is away or offers none. */
  readonly rtspPort: () => number | null;
  /** Live streams can be made H.264 for viewers that decode nothing else. */
  readonly canTranscode: () => boolean;
  /** Throws 1012 without a site (2317 `siteAway` without a far one), 2317 or 1012 when it doesn't answer in time, else the code the site answered. */
  readonly call: <N extends SiteCallName>(name: N, input: SiteCalls[N]['input']) => Promise<SiteCalls[N]['output']>;
}

/**
 * As a port: what is said of the site itself is said of the one beside the server, and a call goes to the site of the
 * device or the channel that its input names.
 */
export interface SitesPort extends SitePort {
  readonly at: (siteId: string) => SitePort;
  readonly of: (deviceSerial: string) => Promise<SitePort>;
  readonly online: () => readonly { readonly siteId: string; readonly site: SitePort }[];
}
