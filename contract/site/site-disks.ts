// The recording disks of a site: which there are, how each does, and how far one is emptied.
import { z } from 'zod';
import { STORAGE_REASONS, type StorageReason } from '../enumerations.ts';
import { DISKS_MAX } from '../limits.ts';
import { amount, SITE_ANSWER_LIMITS, siteText, siteTimeMs } from './site-answer-parts.ts';

/** A recording disk beside the first one. */
export interface DiskOrder {
  readonly folder: string;
  readonly budgetBytes: number;
  /** Nothing new is written to it, and what it has is moved to the others. */
  readonly isEmptying: boolean;
}

/** `waiting`: nothing can be moved now, as no other disk has room or the disk itself cannot be read. */
export type EmptyingState = 'moving' | 'waiting' | 'done';

export interface DiskHealth {
  readonly folder: string;
  readonly usedBytes: number;
  readonly freeBytes: number;
  readonly budgetBytes: number;
  readonly state: 'normal' | 'full' | 'failing' | 'missing';
  readonly reason: StorageReason | null;
  readonly oldestAt: number | null;
  readonly newestAt: number | null;
  /** Null: it is not emptied. */
  readonly emptying: { readonly state: EmptyingState; readonly filesLeft: number; readonly bytesLeft: number } | null;
}

export const disksAnswer = z
  .array(
    z.object({
      folder: siteText(SITE_ANSWER_LIMITS.path),
      usedBytes: amount,
      freeBytes: amount,
      budgetBytes: amount,
      state: z.enum(['normal', 'full', 'failing', 'missing']),
      reason: z.enum(STORAGE_REASONS).nullable().catch(null),
      oldestAt: siteTimeMs.nullable(),
      newestAt: siteTimeMs.nullable(),
      emptying: z
        .object({ state: z.enum(['moving', 'waiting', 'done']), filesLeft: amount, bytesLeft: amount })
        .nullable(),
    }),
  )
  .max(DISKS_MAX);
