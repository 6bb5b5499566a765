// The words and colours of a disk's state, and the sentence for why it is not normal or why its folder was refused.
import { STORAGE_REASONS, type StorageReason } from '@vedette/contract/enumerations.ts';
import { CallFailure } from '../../../calls/call-failure.ts';
import type { SystemHealth } from '../../../features/system/system.query.ts';
import type { StatusTone } from '../../../ui/feedback/status-dot.tsx';

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

type State = NonNullable<SystemHealth['storage']>['state'];

export const TONES: Record<State, { readonly dot: StatusTone; readonly bar: 'normal' | 'warning' | 'danger' }> = {
  normal: { dot: 'online', bar: 'normal' },
  full: { dot: 'warning', bar: 'warning' },
  failing: { dot: 'offline', bar: 'danger' },
  missing: { dot: 'offline', bar: 'danger' },
};

export const STATES = {
  normal: 'system.stateNormal',
  full: 'system.stateFull',
  failing: 'system.stateFailing',
  missing: 'system.stateMissing',
} as const;

/** Why the server refused the folder of a disk, counted from 0; null when it did not. */
export function folderRefusal(failure: unknown, disk: number): StorageReason | null {
  if (!(failure instanceof CallFailure) || typeof failure.data !== 'object' || failure.data === null) return null;
  const field = disk === 0 ? 'config.storage.folder' : `config.storage.moreDisks.${disk - 1}.folder`;
  const word = (failure.data as Readonly<Record<string, unknown>>)[field];
  return STORAGE_REASONS.find((reason) => reason === word) ?? null;
}
