// Storage of this page's wall: the client state of the page, or the numbered window it is in.
import { SPLIT_WINDOW_DEFAULT } from '@vedette/contract/limits.ts';
import { useAuth } from '../../../session/auth-store.ts';
import { useClientState } from '../../../session/client-state.ts';
import { restoreWall, serializeWall, type WallState } from './wall-model.ts';

export interface WallStorage {
  read(): WallState;
  write(wall: WallState): void;
}

/** Number of windows of the last wall in this browser: a new page begins with as many. */
const SPLIT_KEY = 'vedette.live.split';

/** Survives a reload, not a sign-out (UI-07, RT-14). */
export const pageStorage: WallStorage = {
  read: () => {
    const { splitWindow, liveVideoList } = useClientState.getState();
    const isUntouched = splitWindow === SPLIT_WINDOW_DEFAULT && liveVideoList.length === 0;
    return restoreWall(isUntouched ? Number(localStorage.getItem(SPLIT_KEY)) : splitWindow, liveVideoList);
  },
  write: (wall) => {
    localStorage.setItem(SPLIT_KEY, String(wall.split));
    useClientState.setState({ splitWindow: wall.split, liveVideoList: serializeWall(wall) });
  },
};

/** Survives closing the window and signing in again: each account has its own wall in it. */
export function windowStorage(no: number): WallStorage {
  const key = (): string => `vedette.wall.${no}.${useAuth.getState().userId}`;
  return {
    read: () => {
      const { split, list } = readStored(localStorage.getItem(key()));
      return restoreWall(split, list);
    },
    write: (wall) => localStorage.setItem(key(), JSON.stringify({ split: wall.split, list: serializeWall(wall) })),
  };
}

function readStored(text: string | null): { readonly split: unknown; readonly list: readonly unknown[] } {
  if (text === null) return { split: null, list: [] };
  try {
    const { split, list } = JSON.parse(text) as { split?: unknown; list?: unknown };
    return { split, list: Array.isArray(list) ? list : [] };
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof TypeError) return { split: null, list: [] };
    throw error;
  }
}
