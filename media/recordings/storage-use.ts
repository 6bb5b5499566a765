// What each channel's recordings take on the disk, and how fast they grow: measured, so that plans, events and quiet scenes count as they are.
import type { ChannelUse } from '@vedette/contract/site/site-storage-use.ts';
import type { RecordedTrack } from './recorded-track.ts';

const DAY_MS = 86_400_000;
/** Less than that says nothing of a day. */
const MEASURED_MIN_MS = 10 * 60_000;

/** All qualities of a channel together. */
export function channelUses(tracks: Iterable<RecordedTrack>, nowMs: number): readonly ChannelUse[] {
  const uses = new Map<string, ChannelUse & { readonly lastDayBytes: number }>();
  for (const { key, files, endMs } of tracks) {
    const [oldest] = files;
    if (oldest === undefined || endMs === null) continue;
    const before = uses.get(key.channelId);
    uses.set(key.channelId, {
      channelId: key.channelId,
      usedBytes: (before?.usedBytes ?? 0) + files.reduce((sum, file) => sum + bytesOf(file), 0),
      lastDayBytes: (before?.lastDayBytes ?? 0) + bytesSince(files, nowMs - DAY_MS),
      oldestAt: Math.min(before?.oldestAt ?? oldest.startMs, oldest.startMs),
      newestAt: Math.max(before?.newestAt ?? endMs, endMs),
      bytesPerDay: null,
    });
  }
  return [...uses.values()].map(({ lastDayBytes, ...use }) => ({
    ...use,
    bytesPerDay: perDay(lastDayBytes, Math.min(DAY_MS, nowMs - use.oldestAt)),
  }));
}

function perDay(bytes: number, measuredMs: number): number | null {
  return measuredMs < MEASURED_MIN_MS ? null : Math.round((bytes / measuredMs) * DAY_MS);
}

type File = RecordedTrack['files'][number];

function bytesOf({ mediaBytes, indexBytes }: File): number {
  return mediaBytes + indexBytes;
}

/** A file that was begun before counts with the part that lies after. */
function bytesSince(files: readonly File[], fromMs: number): number {
  let sum = 0;
  for (let at = files.length - 1; at >= 0; at -= 1) {
    const file = files[at];
    if (file === undefined || file.endMs <= fromMs) break;
    const durationMs = file.endMs - file.startMs;
    const part = durationMs <= 0 ? 1 : (file.endMs - Math.max(fromMs, file.startMs)) / durationMs;
    sum += bytesOf(file) * part;
  }
  return sum;
}
