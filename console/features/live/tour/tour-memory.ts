// The tour that this page or window is on, so that a reload does not end it. Kept per account, gone with the window.
import { useAuth } from '../../../session/auth-store.ts';

export interface SavedTour {
  /** Value of its `TourSource`: what it goes through may have changed meanwhile. */
  readonly source: string;
  readonly dwellMs: number;
  readonly at: number;
  /** Somebody asked for the page to stay. */
  readonly isAsked: boolean;
}

/** `no`: of a window of its own, which begins with a copy of what its opener keeps. */
export function readTour(no: number | null): SavedTour | null {
  const text = sessionStorage.getItem(keyOf(no));
  if (text === null) return null;
  try {
    const { source, dwellMs, at, isAsked } = JSON.parse(text) as Partial<SavedTour>;
    const isWhole = typeof source === 'string' && isCount(dwellMs) && isCount(at) && typeof isAsked === 'boolean';
    return isWhole ? { source, dwellMs, at, isAsked } : null;
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof TypeError) return null;
    throw error;
  }
}

/** Null: none. */
export function writeTour(no: number | null, tour: SavedTour | null): void {
  if (tour === null) sessionStorage.removeItem(keyOf(no));
  else sessionStorage.setItem(keyOf(no), JSON.stringify(tour));
}

function keyOf(no: number | null): string {
  return `vedette.tour.${no ?? 'page'}.${useAuth.getState().userId}`;
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}
