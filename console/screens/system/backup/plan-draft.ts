// The plan of the backups as it is edited: the fields of a folder and of a bucket side by side, so that a choice can be taken back.
import type { BackupPlan, BackupTarget } from '@vedette/contract/calls/backup-plan.ts';
import type { CallInput } from '@vedette/contract/calls/calls.ts';
import { BACKUP_LIMITS } from '@vedette/contract/limits.ts';
import { type BucketDraft, NEW_BUCKET } from '../cloud/bucket-fields.tsx';

export interface PlanDraft {
  readonly kind: BackupTarget['kind'];
  readonly folder: string;
  readonly bucket: BucketDraft;
  readonly hours: number | null;
  readonly keep: number | null;
}

type SavedTarget = CallInput<'backup/plan/save'>['target'];

export function draftOf({ target, hours, keep }: BackupPlan): PlanDraft {
  const common = { kind: target.kind, folder: '', bucket: NEW_BUCKET, hours, keep };
  if (target.kind === 'none') return common;
  if (target.kind === 'folder') return { ...common, folder: target.folder };
  const { kind: _kind, ...place } = target;
  return { ...common, bucket: { ...place, secretKey: '' } };
}

export function targetOf({ kind, folder, bucket }: PlanDraft): SavedTarget {
  if (kind === 'none') return { kind };
  if (kind === 'folder') return { kind, folder: folder.trim() };
  const { secretKey, ...place } = bucket;
  return { kind, ...place, ...(secretKey !== '' && { secretKey }) };
}

/** The key is kept for this bucket and this access key alone, as the server has it. */
export function isSecretKept({ bucket }: PlanDraft, { target }: BackupPlan): boolean {
  if (target.kind !== 'bucket') return false;
  const { endpoint, bucket: name, accessKey } = target;
  return bucket.endpoint === endpoint && bucket.bucket === name && bucket.accessKey === accessKey;
}

export const PLAN_NUMBERS = {
  hours: { min: 1, max: BACKUP_LIMITS.hours },
  keep: { min: 1, max: BACKUP_LIMITS.keep },
} as const;

export function isNumberGood(value: number | null, { min, max }: { readonly min: number; readonly max: number }) {
  return value !== null && Number.isInteger(value) && value >= min && value <= max;
}
