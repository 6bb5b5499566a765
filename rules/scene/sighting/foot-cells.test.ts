// A path that enters an area shares a cell with what is around it, wherever both are.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cellsAround, cellsOfPath } from './foot-cells.ts';

const share = fc.double({ min: 0, max: 1, noNaN: true });
const point = fc.record({ x: share, y: share });

describe('cells of the picture', () => {
  it('are one for a point, also on the border', () => {
    expect(cellsOfPath([{ x: 0, y: 0 }])).toBe(1n);
    expect(cellsOfPath([{ x: 1, y: 1 }])).toBe(1n << 63n);
    expect(cellsOfPath([{ x: 0.2, y: 0 }])).toBe(2n);
  });

  it('are all on the way between two points', () => {
    const row = cellsOfPath([
      { x: 0, y: 0.5 },
      { x: 1, y: 0.5 },
    ]);
    expect(row).toBe(0xffn << 32n);
  });

  it('around an area contain those of every path between its corners', () => {
    fc.assert(
      fc.property(fc.array(point, { minLength: 3, maxLength: 8 }), (corners) => {
        const around = cellsAround(corners);
        expect(cellsOfPath(corners) & ~around).toBe(0n);
      }),
    );
  });
});
