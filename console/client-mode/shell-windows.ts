// The windows 1 to 3 that a shell switches (RT-13), and hiding the page while the shell hides its window.
import { isCurrentScreen } from '../navigation/current-screen.ts';
import { PATHS } from '../navigation/paths.ts';
import type { ClientRouter } from './client-parts.ts';

export const SHELL_WINDOWS = {
  1: PATHS.personalContainer,
  2: PATHS.liveVideo,
  3: PATHS.myShareContainer,
} as const;
export type ShellWindow = keyof typeof SHELL_WINDOWS;

/** 0 on every other screen. */
export function currentWindow({ state }: ClientRouter): ShellWindow | 0 {
  const found = ([1, 2, 3] as const).find((no) => isCurrentScreen(SHELL_WINDOWS[no], state.location));
  return found ?? 0;
}

/** Shows the screen, unless it is there already. */
export async function openScreen(router: ClientRouter, path: `/homepage/${string}`): Promise<void> {
  if (!isCurrentScreen(path, router.state.location)) await router.navigate(path);
}

/** What is not drawn is out of sight to the tiles, which then fetch no media. */
export function setPageHidden(isHidden: boolean): void {
  const root = document.getElementById('root');
  if (root !== null) root.hidden = isHidden;
}
