// Call of the site for one snapshot, current or recorded, and the schema of its answer.
import { z } from 'zod';
import { timeMs } from '../entities.ts';
import { SITE_ANSWER_LIMITS } from './site-answer-parts.ts';

export interface SiteSnapshot {
  readonly contentType: string;
  /** Base64. */
  readonly data: string;
  /** Wall clock of the picture. */
  readonly at: number;
}

export interface SnapshotCalls {
  /** `at` null: current. Null if no snapshot is available. */
  picture: {
    input: { deviceSerial: string; channelNo: number; at: number | null; width: number };
    output: { picture: SiteSnapshot | null };
  };
}

/** Served under the console's address, so only image types are allowed. */
const sitePicture = z.object({
  contentType: z.enum(['image/jpeg', 'image/png']),
  data: z
    .string()
    .max(SITE_ANSWER_LIMITS.base64)
    .regex(/^[A-Za-z0-9+/]*={0,2}$/),
  at: timeMs,
});

export const pictureAnswers = { picture: z.object({ picture: sitePicture.nullable() }) };
