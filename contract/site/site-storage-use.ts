// What recordings take on the disk of a site, channel by channel.
import { z } from 'zod';
import { amount, siteTimeMs, SITE_ANSWER_LIMITS } from './site-answer-parts.ts';

export interface ChannelUse {
  readonly channelId: string;
  readonly usedBytes: number;
  /** Measured over the last day, or since the first recording where that is less; null while there is too little to measure. */
  readonly bytesPerDay: number | null;
  readonly oldestAt: number;
  readonly newestAt: number;
}

export interface StorageUseCalls {
  /** 1006 of earlier versions. */
  storageUse: { input: Record<string, never>; output: { channels: readonly ChannelUse[] } };
}

export const storageUseAnswers = {
  storageUse: z.object({
    channels: z
      .array(
        z.object({
          channelId: z.string().regex(/^[A-Za-z0-9-]{1,64}$/),
          usedBytes: amount,
          bytesPerDay: amount.nullable(),
          oldestAt: siteTimeMs,
          newestAt: siteTimeMs,
        }),
      )
      .max(SITE_ANSWER_LIMITS.streams),
  }),
};
