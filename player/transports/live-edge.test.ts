// How a tile follows the newest picture, on a simulated stream.
import { describe, expect, test } from 'vitest';
import { LiveEdge } from './live-edge.ts';

/** Plays a 20 fps stream against a model of the element and answers the margin at the end, in seconds. */
function simulate(startMargin: number, seconds: number, jitterS = 0): { margin: number; seeks: number; dry: number } {
  const edge = new LiveEdge();
  const frame = 0.05;
  let position = -startMargin - frame;
  let rate = 1;
  let seeks = 0;
  let dry = 0;
  let margin = 0;
  for (let step = 0; step < seconds / frame; step++) {
    const late = (jitterS * ((step * 7919) % 10)) / 10;
    const end = step * frame;
    const now = (step * frame + late) * 1000;
    const reach = position + frame * rate;
    if (reach > end) {
      edge.ranDry(now);
      dry++;
    }
    position = Math.min(reach, end);
    margin = end - position;
    edge.beforeAppend(margin, now);
    const move = edge.move({ currentTime: position, rangeStart: end - 10, rangeEnd: end + frame }, now);
    if (move.kind === 'rate') rate = move.rate;
    else {
      position = move.to;
      seeks++;
      edge.reset(now);
    }
  }
  return { margin, seeks, dry };
}

describe('the live edge', () => {
  test('stays where it began when that is near the target', () => {
    expect(simulate(0.05, 10)).toMatchObject({ seeks: 0, dry: 0 });
  });

  test('catches up by rate from a second behind, without a seek', () => {
    const end = simulate(1, 20);
    expect(end.seeks).toBe(0);
    expect(end.margin).toBeLessThan(0.15);
  });

  test('far behind it seeks once', () => {
    const end = simulate(8, 5);
    expect(end.seeks).toBe(1);
    expect(end.margin).toBeLessThan(0.15);
  });

  test('seeks over a gap in time', () => {
    const edge = new LiveEdge();
    expect(edge.move({ currentTime: 10, rangeStart: 100, rangeEnd: 100.5 }, 0)).toMatchObject({ kind: 'seek' });
  });

  test('the target delay grows after an underrun and shrinks again when stable', () => {
    const edge = new LiveEdge();
    const start = edge.targetS;
    for (let at = 1000; at < 4000; at += 500) edge.ranDry(at);
    const grown = edge.targetS;
    expect(grown).toBeGreaterThan(start * 2);
    for (let at = 4000; at < 400_000; at += 1000) edge.move({ currentTime: 0, rangeStart: 0, rangeEnd: 0.1 }, at);
    expect(edge.targetS).toBeLessThan(start);
  });
});
