// Media URLs with tickets, as answers carry them.
import { nodeOfTicket } from '@vedette/contract/node-ticket.ts';
import { siteOfTicket } from '@vedette/contract/remote-site.ts';
import { httpUrl, type PublicOrigin, webSocketUrl } from '../http/public-origin.ts';

/** The ticket stands in the fragment, which no browser sends and no log keeps. */
export function liveUrl(origin: PublicOrigin, ticket: string): string {
  return webSocketUrl(origin, `/media/live#${ticket}`);
}

/** Gateway and local site must know at once to which server and site the socket goes. */
export function talkUrl(origin: PublicOrigin, ticket: string): string {
  const isElsewhere = siteOfTicket(ticket) !== null || nodeOfTicket(ticket) !== null;
  const path = isElsewhere ? `/media/talk/${ticket}` : '/media/talk';
  return webSocketUrl(origin, `${path}#${ticket}`);
}

/** An offer is posted there; the media then come straight from the site. */
export function whepUrl(origin: PublicOrigin, ticket: string): string {
  return httpUrl(origin, `/media/whep/${ticket}`);
}

export function hlsUrl(origin: PublicOrigin, ticket: string): string {
  return httpUrl(origin, `/media/hls/${ticket}/index.m3u8`);
}

/** The port is the site's own, on the host under which the caller reached us. */
export function rtspUrl(origin: PublicOrigin, port: number, ticket: string): string {
  return `rtsp://${origin.host.replace(/:\d{1,5}$/, '')}:${port}/${ticket}`;
}

export function fragmentsUrl(origin: PublicOrigin, ticket: string): string {
  return httpUrl(origin, `/media/fragments/${ticket}`);
}

export function exportUrl(origin: PublicOrigin, ticket: string): string {
  return httpUrl(origin, `/media/export/${ticket}`);
}

export function exportManifestUrl(origin: PublicOrigin, ticket: string): string {
  return httpUrl(origin, `/media/export/${ticket}/manifest.json`);
}

/** `picture` as the site named it. */
export function presetSnapshotUrl(origin: PublicOrigin, ticket: string, snapshotId: string): string {
  return httpUrl(origin, `/media/preset/${ticket}/${snapshotId}`);
}

export function snapshotUrl(origin: PublicOrigin, ticket: string): string {
  return httpUrl(origin, `/media/snapshot/${ticket}`);
}
