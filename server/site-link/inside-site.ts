// The site process of the server's own machine: the local site, or none of its own where that runs beside another server.
import { LOCAL_SITE } from '@vedette/contract/remote-site.ts';

/** Where the local site is that of another server: it has no devices, and relays media of what dials this server. */
export const BESIDE_SITE = 'beside';

export function isInside(siteId: string): boolean {
  return siteId === LOCAL_SITE || siteId === BESIDE_SITE;
}
