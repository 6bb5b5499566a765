// Compares the list of files with the disk by size; short files are repaired, missing ones are removed from the list.
import { type Disk, errorCode, NotAFile } from './disk.ts';
import { mediaPath, type TrackKey } from './recording-path.ts';
import type { RecordingsStore } from './recordings-store.ts';
import { ForeignFile, repairFile, type RepairReport, type RepairRequest, SpoiltStart } from './repair-file.ts';
import { indexBytesOf, type ScannedTrack } from './scan-folder.ts';

export interface PresenceRequest {
  readonly disk: Disk;
  readonly folder: string;
  readonly store: RecordingsStore;
  readonly tracks: readonly ScannedTrack[];
  readonly signal: AbortSignal;
}

export interface PresenceReport {
  readonly checked: number;
  readonly repaired: number;
  readonly removed: number;
}

/** Parallel checks: enough to hide disk latency, few beside the recorders' writes. */
const AT_ONCE = 4;

async function verifyPresence(request: PresenceRequest): Promise<PresenceReport> {
  const counts = { checked: 0, repaired: 0, removed: 0 };
  const waiting = filesOf(request.tracks);
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      for (const { key, startMs, mediaBytes } of waiting) {
        if (request.signal.aborted) return;
        counts.checked += 1;
        const size = await request.disk.sizeOf(mediaPath(request.folder, key, startMs));
        if (size === mediaBytes || !isListed(request, key, startMs)) continue;
        if (await mend(request, key, startMs, size)) counts.repaired += 1;
        else counts.removed += 1;
      }
    }),
  );
  return counts;
}

/** Removed or moved to another disk meanwhile: then it is none of this folder. */
function isListed({ store, folder }: PresenceRequest, key: TrackKey, startMs: number): boolean {
  return store.has(key, startMs) && store.folderOf(key, startMs) === folder;
}

/** Beside recording: what fails is told in the log alone. */
export async function verifyQuietly(
  request: PresenceRequest,
  log: { warn(fields: object, message: string): void },
): Promise<void> {
  try {
    const report = await verifyPresence(request);
    if (report.repaired + report.removed > 0) log.warn(report, 'recorded files were not as their catalog says');
  } catch (error) {
    log.warn({ err: error }, 'recorded files could not be compared with their catalog');
  }
}

/** False if nothing of the file is left. */
async function mend(
  { disk, folder, store }: PresenceRequest,
  key: TrackKey,
  startMs: number,
  size: number | null,
): Promise<boolean> {
  const found = size === null ? { entry: null } : await repairUnlessGone({ disk, folder, key, startMs });
  if (found === 'left') {
    store.replace(key, startMs, null);
    return false;
  }
  const { entry } = found;
  if (!entry) {
    await store.remove(key, startMs);
    return false;
  }
  const { endMs, mediaBytes, records } = entry;
  store.replace(key, startMs, { startMs, endMs, mediaBytes, indexBytes: indexBytesOf(records) });
  return true;
}

/** Retention may have removed it. `left`: a foreign file that we neither change nor play. */
async function repairUnlessGone(request: RepairRequest): Promise<Pick<RepairReport, 'entry'> | 'left'> {
  try {
    return await repairFile(request);
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return { entry: null };
    if ([ForeignFile, NotAFile, SpoiltStart].some((kind) => error instanceof kind)) return 'left';
    throw error;
  }
}

function* filesOf(tracks: readonly ScannedTrack[]) {
  for (const { key, entries } of tracks)
    for (const { startMs, mediaBytes } of entries) yield { key, startMs, mediaBytes };
}
