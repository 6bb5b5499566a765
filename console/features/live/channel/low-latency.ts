// The channel that needs low latency because an operator moves it or talks through it.
import { create } from 'zustand';
import { type WallChannel, wallChannelKey } from '../wall/wall-model.ts';

/** By `wallChannelKey`; null while nobody acts on what is seen. */
const useLowLatencyRequest = create<{ readonly key: string | null }>(() => ({ key: null }));

export function requestLowLatency(channel: WallChannel | null): void {
  useLowLatencyRequest.setState({ key: channel && wallChannelKey(channel) });
}

export function useIsLowLatencyRequested(key: string | null): boolean {
  return useLowLatencyRequest((wish) => key !== null && wish.key === key);
}
