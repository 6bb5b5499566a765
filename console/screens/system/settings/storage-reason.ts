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
} as const satisfies Record<StorageReason, string>;

/** Why the server refused the folder of the recordings; null when it did not. */
export function folderRefusal(failure: unknown): StorageReason | null {
  if (!(failure instanceof CallFailure) || typeof failure.data !== 'object' || failure.data === null) return null;
  const word = (failure.data as Readonly<Record<string, unknown>>)['config.storage.folder'];
  return STORAGE_REASONS.find((reason) => reason === word) ?? null;
}
