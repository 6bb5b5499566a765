// Cones of cameras on a plan of 200 by 100 pixels: a reach is 15 pixels.
import { expect, it } from 'vitest';
import { conePath, directionTo, handlePlace, movedBy, turnedBy, widenedBy } from './view-cone.ts';

const SIZE = { width: 200, height: 100 };
const camera = { deviceSerial: 'A', channelNo: 1, x: 0.5, y: 0.5, direction: 90, viewAngle: 180 };

it('is drawn from the camera to both sides of its direction', () => {
  expect(conePath(camera, SIZE)).toBe('M100 50L100 35A15 15 0 0 1 100 65Z');
  expect(conePath({ ...camera, direction: 0, viewAngle: 270 }, SIZE)).toContain('A15 15 0 1 1');
  expect(conePath({ ...camera, viewAngle: 360 }, SIZE)).toBe('M100 35A15 15 0 1 1 100 65A15 15 0 1 1 100 35Z');
});

it('has its handle at the far end, and turns towards where that is put', () => {
  const { x, y } = handlePlace(camera, SIZE);
  expect([x, y]).toEqual([expect.closeTo(0.575), expect.closeTo(0.5)]);
  const places = [
    [0.5, 0],
    [1, 0.5],
    [0.5, 1],
    [0, 0.5],
  ] as const;
  expect(places.map(([across, down]) => directionTo(camera, SIZE, { x: across, y: down }))).toEqual([0, 90, 180, 270]);
  expect(directionTo(camera, SIZE, { x: 0.75, y: 0 }), 'by pixels, not by parts').toBe(45);
});

it('turns through north both ways, and never sees less or more than it may', () => {
  expect(turnedBy({ ...camera, direction: 350 }, 15).direction).toBe(5);
  expect(turnedBy({ ...camera, direction: 5 }, -15).direction).toBe(350);
  expect(widenedBy({ ...camera, viewAngle: 10 }, -15).viewAngle).toBe(5);
  expect(widenedBy({ ...camera, viewAngle: 355 }, 15).viewAngle).toBe(360);
});

it('moves as far down as across, and stays on the picture', () => {
  const moved = movedBy(camera, SIZE, { x: 0.1, y: 0.1 });
  expect([moved.x, moved.y]).toEqual([0.6, 0.7]);
  expect(movedBy(camera, SIZE, { x: -9, y: 9 })).toMatchObject({ x: 0, y: 1 });
});
