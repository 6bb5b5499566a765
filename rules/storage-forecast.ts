// How far the storage of recordings reaches: what fits on the disk, when it is full, how many days are kept.
const DAY_MS = 86_400_000;

export interface MeasuredStorage {
  readonly usedBytes: number;
  readonly freeBytes: number;
  /** What recordings grow by; null while it is not known. */
  readonly bytesPerDay: number | null;
}

export interface StorageLimits {
  readonly budgetBytes: number;
  readonly reserveBytes: number;
  readonly retentionDays: number;
}

export interface StorageForecast {
  readonly keptDays: number;
  /** When the oldest recordings begin to make room for new ones; null where they are deleted by their age before. */
  readonly fullAt: number | null;
}

/** What recordings can take at most on this disk. */
export function largestBudget(storage: MeasuredStorage, reserveBytes: number): number {
  return Math.max(0, storage.usedBytes + storage.freeBytes - reserveBytes);
}

/** Null while nothing is recorded. */
export function storageForecast(storage: MeasuredStorage, limits: StorageLimits, now: number): StorageForecast | null {
  const { usedBytes, bytesPerDay } = storage;
  if (bytesPerDay === null || bytesPerDay <= 0) return null;
  const room = Math.min(limits.budgetBytes, largestBudget(storage, limits.reserveBytes));
  const roomDays = room / bytesPerDay;
  if (roomDays >= limits.retentionDays) return { keptDays: limits.retentionDays, fullAt: null };
  return { keptDays: roomDays, fullAt: now + (Math.max(0, room - usedBytes) / bytesPerDay) * DAY_MS };
}
