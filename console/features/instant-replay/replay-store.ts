// Which live tiles show two minutes ago, and from when.
import { create } from 'zustand';
import { type PlaybackChannel, playbackChannelKey } from '../playback/playback-channel.ts';

export const REPLAY_BACK_MS = 120_000;

/** Where each replay began, ms, by channel key. */
export const useReplays = create<Readonly<Record<string, number>>>(() => ({}));

export function useReplayStart(channel: PlaybackChannel): number | null {
  const key = playbackChannelKey(channel);
  return useReplays((replays) => replays[key] ?? null);
}

export function startReplay(channel: PlaybackChannel, now: number): void {
  useReplays.setState({ [playbackChannelKey(channel)]: now - REPLAY_BACK_MS });
}

/** To two minutes ago, or back to live. */
export function toggleReplay(channel: PlaybackChannel, now: number): void {
  if (useReplays.getState()[playbackChannelKey(channel)] === undefined) startReplay(channel, now);
  else endReplay(channel);
}

export function endReplay(channel: PlaybackChannel): void {
  const { [playbackChannelKey(channel)]: _, ...others } = useReplays.getState();
  useReplays.setState(others, true);
}
