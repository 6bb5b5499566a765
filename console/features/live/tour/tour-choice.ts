// What the last tour went through and how long its pages stayed, kept per browser.
import { TOUR_DWELL_S } from '@vedette/contract/limits.ts';
import { create } from 'zustand';

export interface TourChoice {
  /** Value of a `TourSource`; null before the first tour. */
  readonly source: string | null;
  readonly dwellS: number;
}

const STORAGE_KEY = 'vedette.live.tour';

export const useTourChoice = create<TourChoice>(readStored);
useTourChoice.subscribe((choice) => localStorage.setItem(STORAGE_KEY, JSON.stringify(choice)));

export function isDwell(seconds: number | null): seconds is number {
  return seconds !== null && seconds >= TOUR_DWELL_S.least && seconds <= TOUR_DWELL_S.most;
}

function readStored(): TourChoice {
  const usual = { source: null, dwellS: TOUR_DWELL_S.usual };
  const text = localStorage.getItem(STORAGE_KEY);
  if (text === null) return usual;
  try {
    const { source, dwellS } = JSON.parse(text) as { source?: unknown; dwellS?: unknown };
    return {
      source: typeof source === 'string' ? source : null,
      dwellS: typeof dwellS === 'number' && isDwell(dwellS) ? dwellS : usual.dwellS,
    };
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof TypeError) return usual;
    throw error;
  }
}
