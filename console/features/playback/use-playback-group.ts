// The group of tiles that playback on this page shares, and what React reads of it.
import { openPlayback } from '@vedette/player/playback/open-playback.ts';
import type { PlaybackGroup } from '@vedette/player/playback/playback-group.ts';
import { NO_VIEW, type TileView } from '@vedette/player/playback/tile-view.ts';
import { playbackEngine } from '@vedette/player/playback/playback-support.ts';
import { ServerThumbnails } from '@vedette/player/playback/server-thumbnails.ts';
import type { PlaybackEngineKind } from '@vedette/player/playback/playback-tile.ts';
import type { PlaybackJump } from '@vedette/player/playback/hls/playback-state.ts';
import { useCallback, useEffect, useState, useSyncExternalStore } from 'react';

/** A small store, so that the group is made after the first paint and ended with the page. */
class GroupHolder {
  readonly engine: PlaybackEngineKind = playbackEngine();
  #group: PlaybackGroup | null = null;
  readonly #listeners = new Set<() => void>();

  get group(): PlaybackGroup | null {
    return this.#group;
  }

  open(): () => void {
    const group = openPlayback(this.engine, {
      openThumbnails: (source, onThumbnail) => new ServerThumbnails(source, onThumbnail),
    });
    this.#group = group;
    group.onChange(() => this.#tell());
    this.#tell();
    return () => {
      this.#group = null;
      group.close();
      this.#tell();
    };
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  #tell(): void {
    for (const listener of this.#listeners) listener();
  }
}

export interface PlaybackGroupView {
  readonly group: PlaybackGroup | null;
  readonly engine: PlaybackEngineKind;
  readonly isPlaying: boolean;
  readonly rate: number;
  readonly jump: PlaybackJump | null;
  /** Wall clock of the recordings, ms; null before the first seek. */
  readonly position: () => number | null;
  readonly subscribe: (listener: () => void) => () => void;
}

export function usePlaybackGroup(): PlaybackGroupView {
  const [holder] = useState(() => new GroupHolder());
  useEffect(() => holder.open(), [holder]);
  const group = useSyncExternalStore(holder.subscribe, () => holder.group);
  const isPlaying = useSyncExternalStore(holder.subscribe, () => holder.group?.clock.isPlaying ?? false);
  const rate = useSyncExternalStore(holder.subscribe, () => holder.group?.clock.rate ?? 1);
  const jump = useSyncExternalStore(holder.subscribe, () => holder.group?.jump ?? null);
  const position = useCallback(() => holder.group?.position ?? null, [holder]);
  return { group, engine: holder.engine, isPlaying, rate, jump, position, subscribe: holder.subscribe };
}

export function useTileView({ group, subscribe }: PlaybackGroupView, id: string): TileView {
  return useSyncExternalStore(subscribe, () => group?.view(id) ?? NO_VIEW);
}
