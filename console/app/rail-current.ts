// Which screen the rail marks: that at the address, also where it is a tab of the workspace.
import { PATHS, tabPath } from '../navigation/paths.ts';
import type { ScreenRow } from './screen-rows.ts';

export interface PageAddress {
  readonly pathname: string;
  readonly search: string;
}

export function isCurrentScreen({ path }: Pick<ScreenRow, 'path'>, { pathname, search }: PageAddress): boolean {
  // The overview and the cards belong to no screen of the rail.
  if (path === PATHS.container) return pathname === path && !new URLSearchParams(search).has('tab');
  return [path, tabPath(path)].some((at) => pathname === at || pathname.startsWith(`${at}/`));
}
