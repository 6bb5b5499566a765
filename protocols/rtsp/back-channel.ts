// How a device announces its back channel: the feature tag of ONVIF Streaming 5.3 and the media that take our audio.
import type { G711Law } from '../g711/g711.ts';
import type { Sdp, SdpMedia } from '../sdp/sdp.ts';

/** Without it devices describe only what they send. */
export const BACK_CHANNEL_REQUIRED = { Require: 'www.onvif.org/ver20/backchannel' } as const;

export interface BackChannelMedia {
  readonly media: SdpMedia;
  readonly law: G711Law;
}

const LAWS: ReadonlyMap<string, G711Law> = new Map([
  ['PCMA', 'pcma'],
  ['PCMU', 'pcmu'],
]);

/** The first G.711 track at 8 kHz that is ours to send on; null where there is none. */
export function backChannelOf({ media }: Sdp): BackChannelMedia | null {
  const takers = media.filter((one) => one.kind === 'audio' && one.direction === 'sendonly');
  for (const one of takers.flatMap((taker) => [taker, ...taker.alternatives])) {
    const law = LAWS.get(one.encoding);
    if (law && one.clockRate === 8000) return { media: one, law };
  }
  return null;
}
