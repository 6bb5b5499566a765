// Undo and redo of the wall on its pure model.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  EMPTY_HISTORY,
  HISTORY_STEPS,
  type HistoryStep,
  recordChange,
  redoStep,
  undoStep,
  type WallHistory,
} from './wall-history.ts';
import {
  clearWall,
  EMPTY_WALL,
  placeNext,
  remove,
  setSplit,
  showContent,
  toggleAudible,
  wallContent,
  type WallState,
} from './wall-model.ts';

interface Recorded {
  readonly wall: WallState;
  readonly history: WallHistory;
}

const BEGIN: Recorded = { wall: EMPTY_WALL, history: EMPTY_HISTORY };

function change({ wall, history }: Recorded, step: (wall: WallState) => WallState): Recorded {
  const next = step(wall);
  return { wall: next, history: recordChange(history, wall, next) };
}

function go(
  { wall, history }: Recorded,
  step: (history: WallHistory, wall: WallState) => HistoryStep | null,
): Recorded {
  const to = step(history, wall);
  return to === null ? { wall, history } : { wall: showContent(wall, to.content), history: to.history };
}

const camera = (channelNo: number) => ({ deviceSerial: 'A', channelNo });

describe('the history of the wall', () => {
  it('brings a cleared wall back, and clears it again', () => {
    const filled = change(
      change(BEGIN, (wall) => placeNext(wall, camera(1))),
      (wall) => placeNext(wall, camera(2)),
    );
    const undone = go(change(filled, clearWall), undoStep);
    expect(wallContent(undone.wall)).toEqual(wallContent(filled.wall));
    expect(wallContent(go(undone, redoStep).wall).tiles).toEqual([]);
  });

  it('takes no step for a change that shows nothing else', () => {
    const filled = change(BEGIN, (wall) => placeNext(wall, camera(1)));
    expect(change(filled, (wall) => toggleAudible(wall, wall.selected)).history).toBe(filled.history);
  });

  it('forgets what was undone once something else changes', () => {
    const undone = go(
      change(BEGIN, (wall) => placeNext(wall, camera(1))),
      undoStep,
    );
    const changed = change(undone, (wall) => setSplit(wall, 9));
    expect(redoStep(changed.history, changed.wall)).toBeNull();
  });

  it(`undoes any ${HISTORY_STEPS} steps, and redoes them to the same wall`, () => {
    const step = fc.oneof(
      fc.integer({ min: 1, max: 8 }).map((no) => (wall: WallState) => placeNext(wall, camera(no))),
      fc.constantFrom(1, 4, 9, 16).map((split) => (wall: WallState) => setSplit(wall, split as 4)),
      fc.constant((wall: WallState) => remove(wall, wall.selected)),
      fc.constant(clearWall),
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const end = steps.reduce(change, BEGIN);
        expect(end.history.past.length).toBeLessThanOrEqual(HISTORY_STEPS);
        const oldest = end.history.past[0] ?? wallContent(end.wall);
        const times = end.history.past.length;
        let at = end;
        for (let n = 0; n < times; n += 1) at = go(at, undoStep);
        expect(wallContent(at.wall)).toEqual(oldest);
        expect(undoStep(at.history, at.wall)).toBeNull();
        for (let n = 0; n < times; n += 1) at = go(at, redoStep);
        expect(wallContent(at.wall)).toEqual(wallContent(end.wall));
      }),
    );
  });
});
