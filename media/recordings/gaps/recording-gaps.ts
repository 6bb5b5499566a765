// Computes gaps between recorded spans, each split by the reasons that were noted at the time.
import type { GapReason } from '@vedette/contract/enumerations.ts';
import type { RecordingGap } from '@vedette/contract/site/site.ts';
import type { TimeRange } from './track-notes.ts';

/** Shorter parts join their neighbour: a camera that fails breaks its stream first. */
const PIECE_MIN_MS = 10_000;

export type NotedReason = TimeRange & { readonly kind: GapReason };

/** A gap, with what is recorded in it on a disk that cannot be reached (`away`: joined, oldest first) told as that. */
export function gapsAround(
  gap: TimeRange,
  known: { readonly away: readonly TimeRange[]; readonly noted: readonly NotedReason[] },
): RecordingGap[] {
  const gaps: RecordingGap[] = [];
  const add = (startMs: number, endMs: number): void => {
    if (endMs <= startMs) return;
    const touching = known.noted.filter((one) => one.endMs > startMs && one.startMs < endMs);
    gaps.push(...gapReasons({ startMs, endMs }, touching));
  };
  let at = gap.startMs;
  for (const away of known.away) {
    const [startMs, endMs] = [Math.max(at, away.startMs), Math.min(gap.endMs, away.endMs)];
    if (endMs <= startMs) continue;
    add(at, startMs);
    gaps.push({ startTime: Math.round(startMs), endTime: Math.round(endMs), reason: 'diskAway' });
    at = endMs;
  }
  add(at, gap.endMs);
  return gaps;
}

/** `reasons` oldest first; a later one replaces an earlier one from its start on. Uncovered parts take the reason before, else the one after. */
export function gapReasons(gap: TimeRange, reasons: readonly NotedReason[]): RecordingGap[] {
  const pieces: { startTime: number; endTime: number; reason: GapReason }[] = [];
  for (const { startMs, endMs, kind } of reasons) {
    const startTime = Math.max(gap.startMs, startMs);
    const endTime = Math.min(gap.endMs, endMs);
    if (endTime <= startTime) continue;
    const last = pieces.at(-1);
    if (last?.reason === kind) {
      last.endTime = Math.max(last.endTime, endTime);
      continue;
    }
    if (last) last.endTime = startTime;
    if (last && last.endTime <= last.startTime) pieces.pop();
    pieces.push({ startTime: pieces.at(-1)?.endTime ?? gap.startMs, endTime, reason: kind });
  }
  if (pieces.length === 0) return [{ startTime: gap.startMs, endTime: gap.endMs, reason: 'unknown' }];
  (pieces.at(-1) as { endTime: number }).endTime = gap.endMs;
  return withoutSlivers(pieces).map(({ startTime, endTime, reason }) => ({
    startTime: Math.round(startTime),
    endTime: Math.round(endTime),
    reason,
  }));
}

function withoutSlivers(pieces: readonly RecordingGap[]): RecordingGap[] {
  const kept: RecordingGap[] = [];
  for (const piece of pieces) {
    const last = kept.at(-1);
    const isShort = piece.endTime - piece.startTime < PIECE_MIN_MS;
    if (last && (isShort || last.reason === piece.reason)) kept[kept.length - 1] = { ...last, endTime: piece.endTime };
    else if (last && last.endTime - last.startTime < PIECE_MIN_MS)
      kept[kept.length - 1] = { ...piece, startTime: last.startTime };
    else kept.push(piece);
  }
  return kept;
}
