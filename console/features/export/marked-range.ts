// The range that is marked on the timeline: what is exported or locked. It stays while one looks elsewhere in the console.
import { create } from 'zustand';

/** Wall-clock ms; one end may stand alone. */
export interface MarkedRange {
  readonly start: number | null;
  readonly end: number | null;
}

export interface WholeRange {
  readonly start: number;
  readonly end: number;
}

export const NO_RANGE: MarkedRange = { start: null, end: null };

export const useMarkedRange = create<MarkedRange>(() => NO_RANGE);

/** An end that would stand before the new start goes. */
export function withStart({ end }: MarkedRange, start: number): MarkedRange {
  return { start, end: end !== null && end > start ? end : null };
}

export function withEnd({ start }: MarkedRange, end: number): MarkedRange {
  return { start: start !== null && start < end ? start : null, end };
}

export function wholeRange({ start, end }: MarkedRange): WholeRange | null {
  return start === null || end === null ? null : { start, end };
}

/** A handle stops before the other one. */
export function movedHandle({ start, end }: WholeRange, handle: 'start' | 'end', at: number): WholeRange {
  const least = 1000;
  return handle === 'start' ? { start: Math.min(at, end - least), end } : { start, end: Math.max(at, start + least) };
}
