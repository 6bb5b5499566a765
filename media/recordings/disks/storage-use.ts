// What each channel's recordings take on the disk, and how fast they grow: measured, so that plans, events and quiet scenes count as they are.
import type { ChannelUse } from '@vedette/contract/site/site-storage-use.ts';
import type { RecordedTrack } from '../recorded-track.ts';

const DAY_MS = 86_400_000;
/** Less than that says nothing of a day. */
const MEASURED_MIN_MS = 10 * 60_000;

type Sum = ChannelUse & { readonly lastDayBytes: number };

/** All qualities of a channel together. */
export function channelUses(tracks: Iterable<RecordedTrack>, nowMs: number): readonly ChannelUse[] {
  const uses = new Map<string, Sum>();
  for (const track of tracks) {
    const use = measure(track, nowMs);
    const before = uses.get(track.key.channelId);
    if (use !== null) uses.set(use.channelId, before === undefined ? use : sumOf(before, use));
  }
  return [...uses.values()].map(({ lastDayBytes, ...use }) => ({
    ...use,
    bytesPerDay: perDay(lastDayBytes, Math.min(DAY_MS, nowMs - use.oldestAt)),
  }));
}

function measure({ key, files, endMs }: RecordedTrack, nowMs: number): Sum | null {
  const [oldest] = files;
  if (oldest === undefined || endMs === null) return null;
  return {
    channelId: key.channelId,
    usedBytes: files.reduce((sum, file) => sum + bytesOf(file), 0),
    lastDayBytes: bytesSince(files, nowMs - DAY_MS),
    oldestAt: oldest.startMs,
    newestAt: endMs,
    bytesPerDay: null,
  };
}

function sumOf(one: Sum, other: Sum): Sum {
  return {
    ...one,
    usedBytes: one.usedBytes + other.usedBytes,
    lastDayBytes: one.lastDayBytes + other.lastDayBytes,
    oldestAt: Math.min(one.oldestAt, other.oldestAt),
    newestAt: Math.max(one.newestAt, other.newestAt),
  };
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
