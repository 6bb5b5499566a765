// The call on gaps in the recordings of many channels at once.
import { z } from 'zod';
import { call } from '../call.ts';
import { timeMs } from '../entities.ts';
import { GAP_REASONS } from '../enumerations.ts';
import { RECORD_LIMITS } from '../limits.ts';

export const recordGapCalls = {
  'record/gap/list': call({
    summary:
      'Channels that have gaps in their recordings, with the longest gap of each; for the channels whose recordings the caller may play',
    permission: { kind: 'session' },
    audit: 'none',
    input: z.object({ startTime: timeMs, endTime: timeMs }).strict(),
    output: z.object({
      /** Channels with gaps. */
      total: z.number().int(),
      /** Channels whose site did not answer. */
      unansweredTotal: z.number().int(),
      /** There are more channels than one answer asks for. */
      isCut: z.boolean(),
      /** The longest gaps first. What a plan left out is no gap here. */
      channelList: z
        .array(
          z.object({
            deviceSerial: z.string(),
            deviceName: z.string(),
            channelNo: z.number().int(),
            channelName: z.string(),
            gapTotal: z.number().int(),
            /** Of all gaps together. */
            gapMs: z.number(),
            longest: z.object({ startTime: timeMs, endTime: timeMs, reason: z.enum(GAP_REASONS) }),
          }),
        )
        .max(RECORD_LIMITS.gapChannels),
    }),
  }),
} as const;
