// Calls of two-way talk.
import { z } from 'zod';
import { call } from '../call.ts';
import { channelNo, deviceSerial, timeMs } from '../entities.ts';

export const talkCalls = {
  // Both methods open the same socket: with `webrtc` the page offers its connection there (talk-wire).
  'talk/url': call({
    summary: 'Address for talking to a device; with `webrtc`, audio goes directly where the network allows it',
    permission: { kind: 'device', action: 'Talk' },
    audit: 'watch',
    opensVideo: true,
    errors: [1006, 1009, 1012, 1018, 2316, 2317],
    input: z.object({ deviceSerial, channelNo, method: z.enum(['ws', 'webrtc']).default('ws') }).strict(),
    output: z.object({
      /** The ticket is in the fragment part: the page sends it as its first message (talk-wire). */
      url: z.string(),
      /** What to send: G.711 at 8 kHz. */
      codec: z.enum(['pcma', 'pcmu']),
      /** The ticket must be used before. */
      expireTime: timeMs,
    }),
  }),
} as const;
