// What a scripted site says of its disk, and of an export that it was asked for.
import type { SiteExport } from '@vedette/contract/site/site-export.ts';

export function finishedExport(taskId: string): SiteExport {
  return {
    taskId,
    state: 'finished',
    code: null,
    bytesDone: 1000,
    bytesTotal: 1000,
    percent: 100,
    name: 'Channel 1.mp4',
    sha256: 'ab'.repeat(32),
    files: [],
    gaps: [],
    finishedAt: Date.now(),
    expiresAt: Date.now() + 86_400_000,
  };
}

export function storageHealth(folder: string) {
  return {
    folder,
    usedBytes: 1e9,
    freeBytes: 9e9,
    budgetBytes: 3e9,
    state: 'normal' as const,
    reason: null,
    oldestAt: null,
  };
}
