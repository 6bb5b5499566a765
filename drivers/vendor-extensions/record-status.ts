// How a device's storage is altogether, from how each of its disks is (EN-21).
import { RECORD_STATUS } from '@vedette/contract/enumerations.ts';

/** The worst that is known; without a disk there is no card. */
export function worstStatus(statuses: readonly (number | undefined)[]): number {
  if (statuses.length === 0) return RECORD_STATUS.noCard;
  const known = statuses.filter((status) => status !== undefined && status !== RECORD_STATUS.unknown);
  return known.length === 0 ? RECORD_STATUS.unknown : Math.max(...(known as number[]));
}
