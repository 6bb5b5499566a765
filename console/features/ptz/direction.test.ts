// Directions of pulls and of arrows held together.
import { expect, it } from 'vitest';
import { arrowCommand, ptzVectorAt } from './direction.ts';

it('[LV-02] a drag gives one of eight directions, faster with distance, nothing in the centre', () => {
  expect(ptzVectorAt(0, 0)).toBeNull();
  expect(ptzVectorAt(0.05, 0.05)).toBeNull();
  expect(ptzVectorAt(1, 0)).toEqual({ command: 'right', speed: 10 });
  expect(ptzVectorAt(0, -1)).toEqual({ command: 'up', speed: 10 });
  expect(ptzVectorAt(-0.09, 0)).toEqual({ command: 'left', speed: 1 });
  const diagonals = [
    [1, 1, 'rightDown'],
    [-1, 1, 'leftDown'],
    [-1, -1, 'leftUp'],
    [1, -1, 'rightUp'],
    [0, 1, 'down'],
    [-1, 0.1, 'left'],
  ] as const;
  for (const [x, y, command] of diagonals) expect(ptzVectorAt(x, y)?.command).toBe(command);
});

it('[LV-02] two arrow keys give a diagonal, opposite ones give no move', () => {
  expect(arrowCommand(new Set(['ArrowUp']))).toBe('up');
  expect(arrowCommand(new Set(['ArrowUp', 'ArrowLeft']))).toBe('leftUp');
  expect(arrowCommand(new Set(['ArrowLeft', 'ArrowRight']))).toBeNull();
  expect(arrowCommand(new Set(['ArrowLeft', 'ArrowRight', 'ArrowDown']))).toBe('down');
});
