// The sentence for why the storage is not normal, or why a folder was refused.
import { STORAGE_REASONS, type StorageReason } from '@vedette/contract/enumerations.ts';
import { CallFailure } from '../../../calls/call-failure.ts';

export const REASON_KEYS = {
  locked: 'system.reasonLocked',
  budget: 'system.reasonBudget',
  othersFull: 'system.reasonOthersFull',
  readOnly: 'system.reasonReadOnly',
  denied: 'system.reasonDenied',
  refused: 'system.reasonRefused',
  absent: 'system.reasonAbsent',
  notOurs: 'system.reasonNotOurs',
  inUse: 'system.reasonInUse',
  hangs: 'system.reasonHangs',
} as const satisfies Record<StorageReason, string>;

/** Why the server refused the folder of a disk, counted from 0; null when it did not. */
export function folderRefusal(failure: unknown, disk: number): StorageReason | null {
  if (!(failure instanceof CallFailure) || typeof failure.data !== 'object' || failure.data === null) return null;
  const field = disk === 0 ? 'config.storage.folder' : `config.storage.moreDisks.${disk - 1}.folder`;
  const word = (failure.data as Readonly<Record<string, unknown>>)[field];
  return STORAGE_REASONS.find((reason) => reason === word) ?? null;
}
