// Decides what is removed: footage older than its channel keeps it, then the oldest of all while budget or reserve is broken.
import type { TrackKey } from './recording-path.ts';
import type { RecordedFile } from './recordings-store.ts';

const DAY_MS = 86_400_000;
/** Freed beyond the limit, so that not every minute starts with a removal. */
const SLACK_BYTES = 32 * 1024 * 1024;

export interface RetentionLimits {
  readonly budgetBytes: number;
  readonly reserveBytes: number;
}

export interface RetentionStore {
  readonly usedBytes: number;
  oldestFinished(
    isChosen: (key: TrackKey, file: RecordedFile) => boolean,
  ): { key: TrackKey; file: RecordedFile } | null;
  remove(key: TrackKey, startMs: number): Promise<void>;
}

export interface SweepRequest {
  readonly store: RetentionStore;
  readonly limits: RetentionLimits;
  readonly now: number;
  /** Days a channel's footage is kept; null: by space alone. */
  readonly retentionDays: (channelId: string) => number | null;
  readonly freeBytes: () => Promise<number>;
  /** Set when the disk refused a write: something goes whatever the figures say. */
  readonly isRefused: boolean;
}

export interface SweepReport {
  readonly filesRemoved: number;
  readonly bytesRemoved: number;
  /** Limits are still broken and nothing finished is left to remove. */
  readonly isFull: boolean;
}

export async function sweep(request: SweepRequest): Promise<SweepReport> {
  const { store, now, retentionDays } = request;
  const removed = { filesRemoved: 0, bytesRemoved: 0 };
  const remove = async (oldest: { key: TrackKey; file: RecordedFile }): Promise<void> => {
    removed.filesRemoved += 1;
    removed.bytesRemoved += oldest.file.mediaBytes + oldest.file.indexBytes;
    await store.remove(oldest.key, oldest.file.startMs);
  };
  const isTooOld = (key: TrackKey, file: RecordedFile): boolean => {
    const days = retentionDays(key.channelId);
    return days !== null && file.endMs < now - days * DAY_MS;
  };
  for (let old = store.oldestFinished(isTooOld); old; old = store.oldestFinished(isTooOld)) await remove(old);
  let isOver = request.isRefused || (await breaksLimits(request, 0));
  while (isOver) {
    const oldest = store.oldestFinished(() => true);
    if (!oldest) return { ...removed, isFull: await breaksLimits(request, 0) };
    await remove(oldest);
    isOver = await breaksLimits(request, SLACK_BYTES);
  }
  return { ...removed, isFull: false };
}

async function breaksLimits({ store, limits, freeBytes }: SweepRequest, slack: number): Promise<boolean> {
  // A budget smaller than the slack must still hold something.
  const budgetSlack = Math.min(slack, limits.budgetBytes / 16);
  if (store.usedBytes > limits.budgetBytes - budgetSlack) return true;
  return (await freeBytes()) < limits.reserveBytes + slack;
}
