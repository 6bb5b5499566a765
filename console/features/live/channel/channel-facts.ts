// What the wall must know of each channel besides its address: names, rights, streams, online state.
import { create } from 'zustand';
import type { WallChannel } from '../wall/wall-model.ts';

export interface ChannelFacts extends WallChannel {
  readonly name: string;
  /** Name of the recorder, where the channel is one of several. */
  readonly deviceName: string | null;
  readonly streamNum: number;
  readonly isOnline: boolean;
  /** Has Realplay (PM-03). */
  readonly canWatch: boolean;
  /** May start a recording by hand (Replay). */
  readonly canRecord: boolean;
  /** May talk to it (Talk), if it has a loudspeaker. */
  readonly canTalk: boolean;
  /** May steer it (PtzControl), if it can be moved. */
  readonly canControl: boolean;
  /** May change its address and credentials (DeviceManage). */
  readonly canManage: boolean;
}

interface FactsState {
  readonly isLoaded: boolean;
  /** By `wallChannelKey`. */
  readonly byKey: ReadonlyMap<string, ChannelFacts>;
}

export const useChannelFacts = create<FactsState>(() => ({ isLoaded: false, byKey: new Map() }));
