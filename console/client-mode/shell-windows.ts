// The windows 1 to 3 that a shell switches (RT-13), and hiding the page while the shell hides its window.
import { WINDOW_STATUS } from '@vedette/contract/enumerations.ts';
import { isCurrentScreen } from '../navigation/current-screen.ts';
import { PATHS } from '../navigation/paths.ts';
import type { ClientRouter } from './client-parts.ts';

export const SHELL_WINDOWS = {
  1: PATHS.personalContainer,
  2: PATHS.liveVideo,
  3: PATHS.myShareContainer,
} as const;
export type ShellWindow = keyof typeof SHELL_WINDOWS;

export type WindowStatus = (typeof WINDOW_STATUS)[keyof typeof WINDOW_STATUS];

const listeners = new Set<() => void>();

/** 0 on every other screen. */
export function currentWindow({ state }: ClientRouter): ShellWindow | 0 {
  const found = ([1, 2, 3] as const).find((no) => isCurrentScreen(SHELL_WINDOWS[no], state.location));
  return found ?? 0;
}

/** Shows the screen, unless it is there already. */
export async function openScreen(router: ClientRouter, path: `/homepage/${string}`): Promise<void> {
  if (!isCurrentScreen(path, router.state.location)) await router.navigate(path);
}

/** EN-22: of the window that the page shows. */
export function windowStatus(): WindowStatus {
  return document.getElementById('root')?.hidden === true ? WINDOW_STATUS.hide : WINDOW_STATUS.display;
}

/** What is not drawn is out of sight to the tiles, which then fetch no media. */
export function setWindowStatus(status: WindowStatus): void {
  const root = document.getElementById('root');
  if (root === null) return;
  root.hidden = status === WINDOW_STATUS.hide;
  for (const listener of listeners) listener();
}

export function onWindowStatus(listener: () => void): void {
  listeners.add(listener);
}
