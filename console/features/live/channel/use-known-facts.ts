// What is known of a tile's channel: the last of it where the channel is no longer among the resources, for example after a share ended.
import { useState } from 'react';
import { type ChannelFacts, useChannelFacts } from './channel-facts.ts';
import { type WallChannel, wallChannelKey } from '../wall/wall-model.ts';

export interface KnownFacts {
  /** Falls back to the serial number, and to nothing where there is no channel. */
  readonly name: string;
  readonly streamNum: number;
  /** Absent where the channel is not among the resources now. */
  readonly facts: ChannelFacts | undefined;
}

export function useKnownFacts(channel: WallChannel | null): KnownFacts {
  const key = channel && wallChannelKey(channel);
  const facts = useChannelFacts((state) => (key === null ? undefined : state.byKey.get(key)));
  const [last, setLast] = useState<ChannelFacts | null>(null);
  if (facts && facts !== last) setLast(facts);
  const known = facts ?? (last && wallChannelKey(last) === key ? last : null);
  return { ...wordsOf(known, channel), facts };
}

function wordsOf(known: ChannelFacts | null, channel: WallChannel | null): Pick<KnownFacts, 'name' | 'streamNum'> {
  return { name: known?.name ?? channel?.deviceSerial ?? '', streamNum: known?.streamNum ?? 1 };
}
