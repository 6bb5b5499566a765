// Which screen an address shows, also where it is a tab of the workspace.
import { PATHS, tabPath } from './paths.ts';

export interface PageAddress {
  readonly pathname: string;
  readonly search: string;
}

export function isCurrentScreen(path: `/homepage/${string}`, { pathname, search }: PageAddress): boolean {
  // The overview and the cards are screens of their own.
  if (path === PATHS.container) return pathname === path && !new URLSearchParams(search).has('tab');
  return [path, tabPath(path)].some((at) => pathname === at || pathname.startsWith(`${at}/`));
}
