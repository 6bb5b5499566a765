// Boxes of what edge intelligence follows, over the picture that a native shell shows beneath the page.
import { QUALITY } from '@vedette/contract/enumerations.ts';
import { TrackFollower } from '@vedette/player/live/track-follower.ts';
import type { TileSource } from '@vedette/player/live/tile-source.ts';
import { useCallback } from 'react';
import { useCaller } from '../../../services/services.ts';
import { useBoxesShown } from '../../object-boxes/box-choice.ts';
import { LiveObjects } from '../../object-boxes/live-objects.ts';
import { type BoxFrame, ObjectBoxes } from '../../object-boxes/object-boxes.tsx';
import { channelSource } from '../channel/channel-source.ts';
import type { WallChannel } from '../wall/wall-model.ts';
import { WHOLE_FRAME } from '../zoom/zoom-view.ts';
import { type LivePlayer, useLivePlayer } from './live-player.ts';
import { useNativeOverlay, useNativeTiles } from './native-tiles.ts';

export interface NativeTileBoxesProps {
  readonly cell: number;
  readonly channel: WallChannel;
}

/** As many as cameras have pictures: the shell does not tell when it shows each. */
const FRAME_MS = 40;

/** Nothing is asked for while they are off, and where the shell's picture would hide them. */
export function NativeTileBoxes(props: NativeTileBoxesProps) {
  const isShown = useBoxesShown();
  const isBeneath = useNativeOverlay((overlay) => overlay.isBeneath);
  return isShown && isBeneath ? <FollowedBoxes {...props} /> : null;
}

function FollowedBoxes({ cell, channel }: NativeTileBoxesProps) {
  const player = useLivePlayer();
  const caller = useCaller();
  const watch = useCallback(
    (onFrame: (frame: BoxFrame) => void) => {
      const source = channelSource({ caller, channel, quality: QUALITY.main, onQuality: () => undefined });
      return watchObjects({ player, source, cell }, onFrame);
    },
    [caller, cell, channel, player],
  );
  return <ObjectBoxes watch={watch} part={WHOLE_FRAME} />;
}

interface Watched {
  readonly player: LivePlayer;
  readonly source: TileSource;
  readonly cell: number;
}

function watchObjects({ player, source, cell }: Watched, onFrame: (frame: BoxFrame) => void): () => void {
  const { connection, clock } = player;
  const objects = new LiveObjects();
  const follower = new TrackFollower({
    connection,
    clock,
    source,
    onTracks: (tracks) => (tracks === null ? objects.clear() : objects.add(tracks)),
  });
  const stop = everyFrame(() => {
    const picture = useNativeTiles.getState()[cell]?.picture;
    if (!picture) return;
    const { clockOffsetMs } = connection;
    const { width, height, delayMs } = picture;
    const shown = clockOffsetMs === null ? [] : objects.at(clock.wallMs() + clockOffsetMs - delayMs);
    onFrame({ width, height, objects: shown });
  });
  return () => {
    stop();
    follower.close();
  };
}

/** While the page is drawn. */
function everyFrame(look: () => void): () => void {
  let [request, lookedAt] = [0, 0];
  const again = (now: number): void => {
    request = requestAnimationFrame(again);
    if (now - lookedAt < FRAME_MS) return;
    lookedAt = now;
    look();
  };
  request = requestAnimationFrame(again);
  return () => cancelAnimationFrame(request);
}
