// The channel that needs low latency because an operator moves it or talks through it.
import { create } from 'zustand';
import { type WallChannel, wallChannelKey } from './wall-model.ts';

/** By `wallChannelKey`; null while nobody acts on what is seen. */
const useLatencyWish = create<{ readonly key: string | null }>(() => ({ key: null }));

export function wishLatency(channel: WallChannel | null): void {
  useLatencyWish.setState({ key: channel && wallChannelKey(channel) });
}

export function useIsLatencyWished(key: string | null): boolean {
  return useLatencyWish((wish) => key !== null && wish.key === key);
}
