// Tiles whose stream a native shell plays, above or beneath the page: the page decodes nothing there.
import { create } from 'zustand';
import { type WallChannel, wallChannelKey } from '../wall/wall-model.ts';

/** What the shell shows in a tile. */
export interface NativePicture {
  readonly width: number;
  readonly height: number;
  /** From the site to the screen. */
  readonly delayMs: number;
}

export interface NativeTile {
  /** Of the channel: a tile that shows another one meanwhile is the page's again. */
  readonly key: string;
  /** Null before its first frame. */
  readonly picture: NativePicture | null;
}

/** By cell. */
export const useNativeTiles = create<Readonly<Record<number, NativeTile>>>(() => ({}));

/** The shell's pictures stand beneath the page, which leaves their places clear and is drawn over them. */
export const useNativeOverlay = create(() => ({ isBeneath: false }));

export function leaveToShell(cell: number, channel: WallChannel): void {
  useNativeTiles.setState({ [cell]: { key: wallChannelKey(channel), picture: null } });
}

export function takeFromShell(cell: number): void {
  const { [cell]: _ended, ...others } = useNativeTiles.getState();
  useNativeTiles.setState(others, true);
}

/** False where the page plays the tile. */
export function setNativePicture(cell: number, picture: NativePicture): boolean {
  const tile = useNativeTiles.getState()[cell];
  if (tile !== undefined) useNativeTiles.setState({ [cell]: { ...tile, picture } });
  return tile !== undefined;
}

export interface NativePlay {
  /** Null where the page plays the tile. */
  readonly native: NativeTile | null;
  /** Where the shell's picture is. */
  readonly place: 'beneath' | 'above' | undefined;
  /** Of the channel, where the page plays it. */
  readonly ownKey: string | null;
}

/** `key`: of the channel that the tile shows; null without one. */
export function useNativePlay(cell: number, key: string | null): NativePlay {
  const native = useNativeTiles((tiles) => {
    const tile = tiles[cell];
    return tile !== undefined && tile.key === key ? tile : null;
  });
  const isBeneath = useNativeOverlay((overlay) => overlay.isBeneath);
  if (native === null) return { native, place: undefined, ownKey: key };
  return { native, place: isBeneath ? 'beneath' : 'above', ownKey: null };
}
