// Boxes of what edge intelligence follows, over the video of a live tile, in step with its frames.
import { tracksTimeOf } from '@vedette/player/live/frame-latency.ts';
import type { LiveTile } from '@vedette/player/live/live-tile.ts';
import type { TileState } from '@vedette/player/live/tile-state.ts';
import { useCallback } from 'react';
import { useBoxesShown } from '../../object-boxes/box-choice.ts';
import { LiveObjects } from '../../object-boxes/live-objects.ts';
import { type BoxFrame, ObjectBoxes } from '../../object-boxes/object-boxes.tsx';
import type { ZoomView } from '../zoom/zoom-view.ts';
import { NativeTileBoxes, type NativeTileBoxesProps } from './native-tile-boxes.tsx';
import type { NativeTile } from './native-tiles.ts';

interface OwnTileProps {
  readonly tile: LiveTile;
  readonly state: TileState;
  readonly zoom: ZoomView;
}

export interface TileBoxesProps extends OwnTileProps, NativeTileBoxesProps {
  readonly native: NativeTile | null;
}

/** Of the page's own picture, or of that of the shell. */
export function TileBoxes({ cell, channel, native, ...own }: TileBoxesProps) {
  return native === null ? <OwnTileBoxes {...own} /> : <NativeTileBoxes cell={cell} channel={channel} />;
}

/** Nothing is asked for while they are off. */
function OwnTileBoxes({ tile, state, zoom }: OwnTileProps) {
  const isShown = useBoxesShown();
  const watch = useCallback((onFrame: (frame: BoxFrame) => void) => watchTile(tile, onFrame), [tile]);
  return isShown && state.kind === 'live' ? <ObjectBoxes watch={watch} part={zoom} /> : null;
}

/** A frame between known ones may have no time; boxes that are older than this would stand beside their objects. */
const KEPT_MS = 300;

function watchTile(tile: LiveTile, onFrame: (frame: BoxFrame) => void): () => void {
  const objects = new LiveObjects();
  let knownAtMs = Number.NEGATIVE_INFINITY;
  const stopTracks = tile.onTracks((tracks) => (tracks === null ? objects.clear() : objects.add(tracks)));
  const stopFrames = tile.onFrame((frame) => {
    const { width, height, shownAtMs } = frame;
    const at = tracksTimeOf(frame);
    if (at !== null) {
      knownAtMs = shownAtMs;
      onFrame({ width, height, objects: objects.at(at) });
    } else if (shownAtMs - knownAtMs > KEPT_MS) onFrame({ width, height, objects: [] });
  });
  return () => {
    stopTracks();
    stopFrames();
  };
}
