// Ties one tile driver to the elements of one component: made with them, closed with them.
import type { Quality } from '@vedette/contract/enumerations.ts';
import { LiveTile } from '@vedette/player/live/live-tile.ts';
import type { AudioState } from '@vedette/player/audio/audio-player.ts';
import type { TileState } from '@vedette/player/live/tile-state.ts';
import { watchVisibility } from '@vedette/player/core/visibility.ts';
import { type RefObject, useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { useCaller } from '../../../services/services.ts';
import { channelSource } from '../channel/channel-source.ts';
import { useIsLowLatencyRequested } from '../channel/low-latency.ts';
import { useLivePlayer } from './live-player.ts';
import { useServerReturn } from './use-server-contact.ts';
import { useHeardVolume } from './audio-volume.ts';
import { type WallChannel, wallChannelKey } from '../wall/wall-model.ts';

export interface LiveTileElements {
  readonly frame: RefObject<HTMLElement | null>;
  readonly video: RefObject<HTMLVideoElement | null>;
  readonly canvas: RefObject<HTMLCanvasElement | null>;
}

export interface LiveTileView {
  readonly tile: LiveTile;
  readonly state: TileState;
  readonly audioState: AudioState;
  /** Capture instant of the still on the canvas, ms. */
  readonly lastFrameAt: number | null;
  /** The stream that is played; null before the first ticket. */
  readonly quality: number | null;
}

export interface LiveTileRequest {
  readonly channel: WallChannel | null;
  readonly quality: Quality;
  readonly isAudible: boolean;
}

export function useLiveTile(elements: LiveTileElements, wish: LiveTileRequest): LiveTileView {
  const { frame, video, canvas } = elements;
  const { channel, quality, isAudible } = wish;
  const player = useLivePlayer();
  const caller = useCaller();
  const [tile] = useState(() => new LiveTile(player));
  const [chosen, setChosen] = useState<number | null>(null);
  const shownKey = useRef<string | null>(null);

  useEffect(() => {
    if (!frame.current || !video.current || !canvas.current) return;
    tile.attach({ video: video.current, canvas: canvas.current });
    const stopWatching = watchVisibility(frame.current, (isVisible) => tile.setVisible(isVisible));
    return () => {
      stopWatching();
      shownKey.current = null;
      tile.detach();
    };
  }, [tile, frame, video, canvas]);

  const startsAudible = useRef(isAudible);
  useEffect(() => {
    startsAudible.current = isAudible;
  }, [isAudible]);
  useEffect(() => {
    if (!channel) {
      shownKey.current = null;
      tile.close();
      return;
    }
    const key = wallChannelKey(channel);
    const keepLastFrame = shownKey.current === key;
    shownKey.current = key;
    const source = channelSource({ caller, channel, quality, onQuality: setChosen });
    tile.open(source, { audio: startsAudible.current, keepLastFrame });
  }, [tile, channel, quality, caller]);

  useEffect(() => tile.setAudio(isAudible), [tile, isAudible]);
  const volume = useHeardVolume();
  useEffect(() => tile.setVolume(volume), [tile, volume]);

  const isLatencyWished = useIsLowLatencyRequested(channel && wallChannelKey(channel));
  useEffect(() => tile.setLowLatency(isLatencyWished), [tile, isLatencyWished]);

  useServerReturn(() => {
    player.connection.retryNow();
    if (tile.state.kind === 'stalled') tile.retry();
  });

  const subscribe = (listener: () => void): (() => void) => tile.onChange(listener);
  const state = useSyncExternalStore(subscribe, () => tile.state);
  const audioState = useSyncExternalStore(subscribe, () => tile.audioState);
  const lastFrameAt = useSyncExternalStore(subscribe, () => tile.lastFrameAt);
  return { tile, state, audioState, lastFrameAt, quality: chosen };
}
