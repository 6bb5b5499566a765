// Undo and redo of what the wall shows: the last twenty arrangements. Pure.
import { wallContent, wallChannelKey, type WallContent, type WallState } from './wall-model.ts';

export const HISTORY_STEPS = 20;

export interface WallHistory {
  /** The newest last. */
  readonly past: readonly WallContent[];
  /** What was undone, the next to redo last. */
  readonly future: readonly WallContent[];
}

export interface HistoryStep {
  readonly history: WallHistory;
  readonly content: WallContent;
}

export const EMPTY_HISTORY: WallHistory = { past: [], future: [] };

function isSame(one: WallContent, other: WallContent): boolean {
  const keys = ({ split, tiles }: WallContent): string =>
    [split, ...tiles.map((tile) => `${tile.position}=${wallChannelKey(tile)}`)].join();
  return keys(one) === keys(other);
}

/** Selection, audio and maximising are no steps: they change no arrangement. */
export function recordChange(history: WallHistory, before: WallState, after: WallState): WallHistory {
  const content = wallContent(before);
  if (isSame(content, wallContent(after))) return history;
  return { past: [...history.past, content].slice(-HISTORY_STEPS), future: [] };
}

/** Null: there is nothing to undo. */
export function undoStep({ past, future }: WallHistory, present: WallState): HistoryStep | null {
  const content = past.at(-1);
  if (content === undefined) return null;
  return { content, history: { past: past.slice(0, -1), future: [...future, wallContent(present)] } };
}

/** Null: there is nothing to redo. */
export function redoStep({ past, future }: WallHistory, present: WallState): HistoryStep | null {
  const content = future.at(-1);
  if (content === undefined) return null;
  return { content, history: { past: [...past, wallContent(present)], future: future.slice(0, -1) } };
}
