// Pushes to CDNs on the site port: started with a ticket, stopped, and asked for.
import { z } from 'zod';
import { PUSH_REASONS, type PushReason } from '../enumerations.ts';
import { amount, SITE_ANSWER_LIMITS, siteTimeMs } from './site-answer-parts.ts';

const STATES = ['starting', 'live', 'retrying', 'stopped'] as const;

export interface SitePush {
  readonly liveId: string;
  readonly state: (typeof STATES)[number];
  /** Since it is in this state. */
  readonly since: number;
  /** Why the last connection ended, or why it stopped. */
  readonly reason: PushReason | null;
  readonly bitsPerSecond: number;
  readonly sentBytes: number;
  /** From how many addresses a stream of our own origin was fetched, since its start; absent for a push, and at earlier versions. */
  readonly addressCount?: number | undefined;
}

export interface CdnCalls {
  /**
   * `url` is where it is published, with its key; it is in no log: `rtmp`, `rtmps`, `http` and `https` for WHIP, `srt`. `secret`: the token
   * of WHIP or the passphrase of SRT. 1003 for another address, also at earlier versions; 1004 for a ticket that opens nothing. 1006 of
   * earlier versions.
   */
  pushStart: { input: { liveId: string; ticket: string; url: string; secret?: string }; output: Record<string, never> };
  /**
   * Serves the stream at `/media/cdn/<token>/<stream>/…`, where the token is `stream` signed with `key` (foundation/signing), with
   * `far-<site>-` before it at a remote site. `stream`: `<channelId>-<quality>`. Ends like a push. 1004 and 1006 as above.
   */
  originStart: {
    input: { liveId: string; ticket: string; stream: string; key: string };
    output: Record<string, never>;
  };
  /** Also where there is no such push. */
  pushStop: { input: { liveId: string }; output: Record<string, never> };
  /** Those that run, and those that ended by themselves in the last hour. */
  pushes: { input: Record<string, never>; output: { pushes: readonly SitePush[] } };
  /** Connects and sends no media. `reason`: why it cannot; null: it can. */
  pushProbe: { input: { url: string; secret?: string }; output: { reason: PushReason | null } };
}

/** A newer site may name reasons that we do not know. */
const reason = z.enum(PUSH_REASONS).catch('answer').nullable();

export const cdnAnswers = {
  pushStart: z.object({}),
  originStart: z.object({}),
  pushStop: z.object({}),
  pushes: z.object({
    pushes: z
      .array(
        z.object({
          liveId: z.string().regex(/^[A-Za-z0-9-]{1,64}$/),
          state: z.enum(STATES),
          since: siteTimeMs,
          reason,
          bitsPerSecond: amount,
          sentBytes: amount,
          addressCount: amount.optional(),
        }),
      )
      .max(SITE_ANSWER_LIMITS.streams),
  }),
  pushProbe: z.object({ reason }),
};
