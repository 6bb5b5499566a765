// Tiles whose stream a native shell plays over the page: the page decodes nothing there.
import { create } from 'zustand';
import { type WallChannel, wallChannelKey } from '../wall/wall-model.ts';

/** Channel key by cell: a tile that shows another channel meanwhile is the page's again. */
export const useNativeTiles = create<Readonly<Record<number, string>>>(() => ({}));

export function leaveToShell(cell: number, channel: WallChannel): void {
  useNativeTiles.setState({ [cell]: wallChannelKey(channel) });
}

export function takeFromShell(cell: number): void {
  const { [cell]: _ended, ...others } = useNativeTiles.getState();
  useNativeTiles.setState(others, true);
}

/** `key`: of the channel that the tile shows; null without one. */
export function useIsNative(cell: number, key: string | null): boolean {
  return useNativeTiles((tiles) => key !== null && tiles[cell] === key);
}
