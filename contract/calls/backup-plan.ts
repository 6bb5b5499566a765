// Calls of the backups that are taken by themselves: where they lie, how often, and whether a place can hold them.
import { z } from 'zod';
import { call } from '../call.ts';
import { smallInt } from '../entities.ts';
import { BACKUP_FOLDER_REASONS, STORE_REASONS, STORE_STEPS, USER_TYPE } from '../enumerations.ts';
import { BACKUP_LIMITS } from '../limits.ts';
import { bucketPlace, storeKey } from './cloud.ts';

const operatorOnly = { kind: 'userType', userTypes: [USER_TYPE.super] } as const;

const none = z.object({ kind: z.literal('none') }).strict();
const folder = z
  .object({
    kind: z.literal('folder'),
    /** Absolute. */
    folder: z
      .string()
      .max(BACKUP_LIMITS.folderLength)
      // Neither control characters nor a relative path.
      .regex(/^\/[^\p{Cc}]*$/u),
  })
  .strict();
const bucket = z
  .object({
    kind: z.literal('bucket'),
    ...bucketPlace,
    /** Absent: the one that is kept for this address, bucket and access key. */
    secretKey: storeKey.min(1).optional(),
  })
  .strict();

export const BackupTarget = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('none') }),
  z.object({ kind: z.literal('folder'), folder: z.string() }),
  z.object({
    kind: z.literal('bucket'),
    endpoint: z.string(),
    region: z.string(),
    bucket: z.string(),
    isPathStyle: z.boolean(),
    accessKey: z.string(),
    prefix: z.string(),
  }),
]);
export type BackupTarget = z.infer<typeof BackupTarget>;

export const BackupPlan = z.object({
  target: BackupTarget,
  /** Between two backups. */
  hours: z.number().int(),
  /** As many stay. */
  keep: z.number().int(),
  version: z.number().int(),
  /** The place named at the start of the installation, which no page can change; null: none was. */
  startPlace: z.string().nullable(),
});
export type BackupPlan = z.infer<typeof BackupPlan>;

export const backupPlanCalls = {
  'backup/plan/get': call({
    summary: 'Where backups are put and how often; without the secret key of the bucket',
    permission: operatorOnly,
    audit: 'none',
    input: z.object({}).strict(),
    output: z.object({ plan: BackupPlan }),
  }),
  'backup/plan/probe': call({
    summary: 'Whether a folder or bucket can be written, read and deleted from, as backups need it; nothing is saved',
    permission: operatorOnly,
    audit: 'write',
    errors: [1012],
    input: z.object({ target: z.discriminatedUnion('kind', [folder, bucket]) }).strict(),
    output: z.object({
      /** The first step that failed; null: none did. */
      step: z.enum(STORE_STEPS).nullable(),
      reason: z.enum([...STORE_REASONS, ...BACKUP_FOLDER_REASONS]).nullable(),
    }),
  }),
  'backup/plan/save': call({
    summary: 'Take backups into this folder or bucket, which must pass the probe, or take none; holds within seconds',
    permission: operatorOnly,
    audit: 'write',
    /** 1006: the place was named at the start of the installation. */
    errors: [1006, 1010, 1012],
    input: z
      .object({
        version: smallInt,
        target: z.discriminatedUnion('kind', [none, folder, bucket]),
        hours: z.number().int().min(1).max(BACKUP_LIMITS.hours),
        keep: z.number().int().min(1).max(BACKUP_LIMITS.keep),
      })
      .strict(),
    output: z.object({ plan: BackupPlan }),
  }),
} as const;
