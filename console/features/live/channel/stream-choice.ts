// The stream that somebody chose for a channel on this page; without a choice it follows the size of the wall.
import type { Quality } from '@vedette/contract/enumerations.ts';
import { chooseStream, offeredStreams } from '@vedette/rules/stream-choice.ts';
import { create } from 'zustand';
import { type WallChannel, wallChannelKey } from '../wall/wall-model.ts';

const useChoices = create<{ readonly byKey: ReadonlyMap<string, Quality> }>(() => ({ byKey: new Map() }));

/** Null: none was chosen. */
export function useStreamChoice(channel: WallChannel | null): Quality | null {
  return useChoices(({ byKey }) => (channel && byKey.get(wallChannelKey(channel))) ?? null);
}

/** The stream of a tile: what was chosen, else by the number of windows. */
export function useTileStream(channel: WallChannel | null, windows: number, streamNum: number): Quality {
  return useStreamChoice(channel) ?? chooseStream(windows, offeredStreams(streamNum));
}

export function pickStream(channel: WallChannel, quality: Quality | null): void {
  useChoices.setState(({ byKey }) => {
    const next = new Map(byKey);
    if (quality === null) next.delete(wallChannelKey(channel));
    else next.set(wallChannelKey(channel), quality);
    return { byKey: next };
  });
}
