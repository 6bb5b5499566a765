// Where the tickets of the media engine are used: the addresses that answers carry.
import { httpUrl, type PublicOrigin, webSocketUrl } from '../http/public-origin.ts';

/** The ticket stands in the fragment, which no browser sends and no log keeps. */
export function liveUrl(origin: PublicOrigin, ticket: string): string {
  return webSocketUrl(origin, `/media/live#${ticket}`);
}

export function talkUrl(origin: PublicOrigin, ticket: string): string {
  return webSocketUrl(origin, `/media/talk#${ticket}`);
}

export function hlsUrl(origin: PublicOrigin, ticket: string): string {
  return httpUrl(origin, `/media/hls/${ticket}/index.m3u8`);
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

export function snapshotUrl(origin: PublicOrigin, ticket: string): string {
  return httpUrl(origin, `/media/snapshot/${ticket}`);
}
