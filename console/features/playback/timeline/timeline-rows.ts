// The rows of the timeline, one per channel: the selected one tall, the others slim. Pure.
import type { RecordedSpan } from './recorded-spans.ts';
import { type SeenRange, seenHeight } from './seen-ranges.ts';

/** A stretch without recordings, with the reason in words where one is known. */
export interface TimelineGap {
  readonly start: number;
  readonly end: number;
  readonly reason: string | null;
}

export interface TimelineRow {
  readonly key: string;
  readonly name: string;
  readonly spans: readonly RecordedSpan[];
  readonly gaps: readonly TimelineGap[];
  /** Stretches of recordings of which something is to be said. */
  readonly notes?: readonly TimelineNote[];
  /** When objects were seen, in order of their starts. */
  readonly seen?: readonly SeenRange[];
}

export interface TimelineNote {
  readonly start: number;
  readonly end: number;
  readonly words: string;
}

/** In CSS pixels from the top of the canvas. */
export interface PlacedRow extends TimelineRow {
  readonly top: number;
  readonly height: number;
  /** Of the lines below its track. */
  readonly seenHeight: number;
  readonly isSelected: boolean;
}

export interface RowLayout {
  readonly rows: readonly PlacedRow[];
  /** Of the whole timeline. */
  readonly height: number;
}

/** Flags and labels stand above. */
export const TRACKS_TOP = 56;
const FOOT_PX = 10;
const TALL_PX = 30;
const SPACE_PX = 2;

/** Slim rows hold the name beside them; they get slimmer the more there are, so that sixteen still leave the pictures their room. */
export function placeRows(rows: readonly TimelineRow[], selectedKey: string | null): RowLayout {
  const slimPx = rows.length > 9 ? 10 : 12;
  const placed: PlacedRow[] = [];
  let top = TRACKS_TOP;
  for (const row of rows) {
    const isSelected = row.key === selectedKey || rows.length === 1;
    const height = isSelected ? TALL_PX : slimPx;
    const below = seenHeight(row.seen ?? [], isSelected);
    placed.push({ ...row, top, height, seenHeight: below, isSelected });
    top += height + below + SPACE_PX;
  }
  const end = placed.length === 0 ? TRACKS_TOP + TALL_PX : top - SPACE_PX;
  return { rows: placed, height: end + FOOT_PX };
}

/** The row at a height, or the nearest one below the ruler; null in the ruler. */
export function rowAt({ rows }: RowLayout, y: number): PlacedRow | null {
  if (y < TRACKS_TOP - 2) return null;
  return rows.find(({ top, height, seenHeight: below }) => y < top + height + below + SPACE_PX) ?? rows.at(-1) ?? null;
}

export function gapAt(row: TimelineRow | null, at: number): TimelineGap | null {
  return row?.gaps.find(({ start, end }) => at >= start && at < end) ?? null;
}

function noteAt(row: TimelineRow | null, at: number): TimelineNote | null {
  return row?.notes?.find(({ start, end }) => at >= start && at < end) ?? null;
}

/** Where the recording is from, or why there is none. */
export function reasonAt(row: TimelineRow | null, at: number): string | null {
  return noteAt(row, at)?.words ?? gapAt(row, at)?.reason ?? null;
}
