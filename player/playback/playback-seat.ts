// What a group of playback knows of one tile.
import type { PlaybackTile, TileEnd } from './playback-tile.ts';
import type { RecordingSource } from './recording-source.ts';
import type { TilePace } from './tile-pace.ts';
import type { TileView } from './tile-view.ts';
import type { TileStatus } from './worker/worker-messages.ts';

export interface PlaybackSeat {
  readonly id: string;
  readonly tile: PlaybackTile;
  readonly source: RecordingSource;
  readonly pace: TilePace;
  status: TileStatus;
  end: TileEnd | null;
  /** When it ended, and how often it was tried again since it last showed something. */
  endedMs: number;
  tries: number;
  shownAt: number | null;
  /** What the tile was told last. */
  isThin: boolean;
  view: TileView;
  /** Removes the picture of the stream before; null once it is gone. */
  dropLeft: (() => void) | null;
}

export function dropLeft(seat: PlaybackSeat): void {
  seat.dropLeft?.();
  seat.dropLeft = null;
}

/** Both made in one way. */
export function isSame(a: TileView, b: TileView): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}
