// What the rest of the server may ask of the site.
import type { SiteCallName, SiteCalls } from '@vedette/contract/site.ts';

export interface SitePort {
  readonly isOnline: () => boolean;
  /** Of native clients; null while the site is away or offers none. */
  readonly rtspPort: () => number | null;
  /** Live streams can be made H.264 for viewers that decode nothing else. */
  readonly canTranscode: () => boolean;
  /** Throws 1012 without a site, 2317 or 1012 when it doesn't answer in time, else the code the site answered. */
  readonly call: <N extends SiteCallName>(name: N, input: SiteCalls[N]['input']) => Promise<SiteCalls[N]['output']>;
}
