// Object stores on the site port: where copies of recordings are kept, which channels keep them, and how far behind that is.
import { z } from 'zod';
import { STORE_REASONS, STORE_STEPS, type StoreReason, type StoreStep } from '../enumerations.ts';
import { amount, SITE_ANSWER_LIMITS, siteTimeMs } from './site-answer-parts.ts';

/** A bucket of an S3 service. The keys are plain on this wire and encrypted at rest. */
export interface ObjectStoreAccess {
  readonly storeId: string;
  /** http or https, without a path. */
  readonly endpoint: string;
  readonly region: string;
  readonly bucket: string;
  /** The bucket is the first part of the path, instead of the first label of the name. */
  readonly isPathStyle: boolean;
  readonly accessKey: string;
  readonly secretKey: string;
  /** Without slashes at its ends; may be empty. */
  readonly prefix: string;
}

/** What of a channel's recordings is copied to which store. */
export interface CloudOrder {
  readonly storeId: string;
  /** The account that owns the device: part of the key of every object. */
  readonly ownerId: string;
  /** EN-22: 2 files with alarm recordings, 3 all. */
  readonly comboType: 2 | 3;
  /** How long an object is kept. */
  readonly days: number;
}

export interface CloudBacklog {
  readonly channelId: string;
  /** Finished files that have no verified copy yet. */
  readonly waitingFiles: number;
  readonly waitingBytes: number;
  /** Start of the oldest of them; null: none waits. */
  readonly waitingSince: number | null;
  readonly storedFiles: number;
  readonly storedBytes: number;
  /** Files whose only copy their store confirmed once and has no more; 0 of earlier versions. */
  readonly lostFiles: number;
  /** Why the last attempt failed; null: it did not. */
  readonly reason: StoreReason | null;
}

/** An object of the server in a store of the site: below the store's prefix and the account. */
export interface StoredObjectName {
  readonly storeId: string;
  readonly ownerId: string;
  /** Letters, digits, dots and dashes between slashes. */
  readonly name: string;
}

export interface CloudCalls {
  /** Puts an object and believes it after the store told its size and digest. `data`: base64, at most OBJECT_BYTES. 1006 of earlier versions. */
  objectPut: { input: StoredObjectName & { data: string }; output: { reason: StoreReason | null } };
  /** `data`: base64; null with a reason, or without where there is no such object. 1006 of earlier versions. */
  objectGet: { input: StoredObjectName; output: { data: string | null; reason: StoreReason | null } };
  /** Also where there is no such object. 1006 of earlier versions. */
  objectDelete: { input: StoredObjectName; output: { reason: StoreReason | null } };
  /** `step`: the first that failed, with its reason; both null where all five succeeded. 1006 of earlier versions. */
  storeProbe: {
    input: { store: ObjectStoreAccess };
    output: { step: StoreStep | null; reason: StoreReason | null };
  };
  /** Channels with a cloud order. 1006 of earlier versions. */
  cloudBacklog: { input: Record<string, never>; output: { channels: readonly CloudBacklog[] } };
}

/** A newer site may name reasons that we do not know. */
const reason = z.enum(STORE_REASONS).catch('answer').nullable();

/** Of what the server keeps in a store by itself. */
export const OBJECT_BYTES = 4 * 1024 * 1024;

export const cloudAnswers = {
  objectPut: z.object({ reason }),
  objectGet: z.object({
    data: z
      .base64()
      .max(Math.ceil(OBJECT_BYTES / 3) * 4)
      .nullable(),
    reason,
  }),
  objectDelete: z.object({ reason }),
  storeProbe: z.object({ step: z.enum(STORE_STEPS).nullable(), reason }),
  cloudBacklog: z.object({
    channels: z
      .array(
        z.object({
          channelId: z.string().regex(/^[A-Za-z0-9-]{1,64}$/),
          waitingFiles: amount,
          waitingBytes: amount,
          waitingSince: siteTimeMs.nullable(),
          storedFiles: amount,
          storedBytes: amount,
          lostFiles: amount.default(0),
          reason,
        }),
      )
      .max(SITE_ANSWER_LIMITS.streams),
  }),
};
