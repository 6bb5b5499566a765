// The tabs of the workspace as values: which is shown at an address, and the list after one was opened, closed or moved.
import { movedCard } from '@vedette/rules/card-menu.ts';
import { PATHS, tabPath } from '../../navigation/paths.ts';
import type { OpenedTab } from '../../session/client-state.ts';

/** They stand first, always open, in this order. */
export const FIXED_TABS = ['overview', 'home'] as const;
/** Screens of their own that open as tabs. */
const SCREEN_TABS = [
  'liveVideo',
  'alarmMsg',
  'deviceManage',
  'orgManage',
  'permissionConfig',
  'myShareContainer',
  'system',
] as const;
type ScreenTab = (typeof SCREEN_TABS)[number];
type FixedTab = (typeof FIXED_TABS)[number];
export type TabName = FixedTab | ScreenTab | 'playback';

export function isFixed(tab: TabName): tab is FixedTab {
  return FIXED_TABS.some((one) => one === tab);
}

function isScreen(tab: TabName): tab is ScreenTab {
  return SCREEN_TABS.some((one) => one === tab);
}

/** A tab of the workspace that is not fixed, with where one was in it. */
export interface Opened extends OpenedTab {
  readonly tab: TabName;
}

/** What was kept by another version may name tabs that there are none of. */
export function knownTabs(kept: readonly OpenedTab[]): Opened[] {
  const names: readonly TabName[] = ['playback', ...SCREEN_TABS];
  return kept.flatMap(({ tab, search }) => {
    const name = names.find((one) => one === tab);
    return name === undefined || typeof search !== 'string' ? [] : [{ tab: name, search }];
  });
}

export function tabAddress({ tab, search }: { readonly tab: TabName; readonly search: string }): string {
  if (isFixed(tab)) return `${PATHS.container}?tab=${tab}`;
  return `${isScreen(tab) ? tabPath(PATHS[tab]) : PATHS.container}${search}`;
}

export function tabAt(pathname: string, search: string): TabName {
  const screen = SCREEN_TABS.find((one) => tabPath(PATHS[one]) === pathname);
  if (screen !== undefined) return screen;
  const asked = new URLSearchParams(search).get('tab');
  return FIXED_TABS.find((one) => one === asked) ?? 'playback';
}

/** The list with the shown tab in it, at the address that it is at. The same list where nothing is new. */
export function withShown(opened: readonly Opened[], shown: Opened): readonly Opened[] {
  if (isFixed(shown.tab)) return opened;
  const at = opened.findIndex(({ tab }) => tab === shown.tab);
  if (at < 0) return [...opened, shown];
  return opened[at]?.search === shown.search ? opened : opened.with(at, shown);
}

/** Where one is led when a tab closes: to the next one, else the one before. */
export function neighbour(opened: readonly Opened[], closed: TabName): Opened {
  const at = opened.findIndex(({ tab }) => tab === closed);
  return opened[at + 1] ?? opened[at - 1] ?? { tab: 'home', search: '' };
}

/** With one tab in the place of another. */
export function movedTab(opened: readonly Opened[], from: number, to: number): Opened[] {
  return movedCard(opened, from, from < to ? to + 1 : to);
}
