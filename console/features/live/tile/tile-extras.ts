// What other features add to a tile, handed in by the screen: features know nothing of each other.
import { createContext, type ReactNode } from 'react';
import type { ChannelFacts } from '../channel/channel-facts.ts';

export interface ExtraTile {
  readonly cell: number;
  readonly channel: ChannelFacts;
  /** Only the selected tile's buttons are stops of the Tab key. */
  readonly isStop: boolean;
  /** The pointer or the focus has been on the tile. */
  readonly isEngaged: boolean;
}

export interface TileExtras {
  /** Buttons between the tile's own. */
  readonly actions?: (tile: ExtraTile) => ReactNode;
  /** Over the picture, below the bars. */
  readonly overlay?: (tile: ExtraTile) => ReactNode;
}

export const TileExtrasContext = createContext<TileExtras | null>(null);
