// The site process of a server's own machine: the local site, or one without cameras where that runs beside another server.
import { LOCAL_SITE } from '@vedette/contract/remote-site.ts';

const BESIDE = 'beside-';

/** Of a site that relays media of what dials its server, and has no devices; no row names it. */
export function besideSite(nodeId: string): string {
  return `${BESIDE}${nodeId}`;
}

export function isBeside(siteId: string): boolean {
  return siteId.startsWith(BESIDE);
}

export function isInside(siteId: string): boolean {
  return siteId === LOCAL_SITE || isBeside(siteId);
}
