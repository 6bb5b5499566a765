// Where something small moves in painted frames, and where nothing is to be enlarged.
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { MovingRegion } from './moving-region.ts';

const [WIDTH, HEIGHT] = [640, 360];

/** A dark frame with bright rectangles, in pixels. */
function painted(...boxes: readonly (readonly [x: number, y: number, width: number, height: number])[]) {
  const rgb = Buffer.alloc(WIDTH * HEIGHT * 3, 40);
  for (const [x, y, width, height] of boxes)
    for (let row = y; row < y + height; row += 1) rgb.fill(200, (row * WIDTH + x) * 3, (row * WIDTH + x + width) * 3);
  return { width: WIDTH, height: HEIGHT, rgb, wallMs: 0 };
}
function regionOf(...frames: readonly ReturnType<typeof painted>[]) {
  const moving = new MovingRegion();
  return frames.map((frame) => moving.next(frame, [])).at(-1) ?? null;
}

it('holds all of a small thing that moves, wherever it is, within the frame', () => {
  fc.assert(
    fc.property(fc.nat({ max: WIDTH - 40 }), fc.nat({ max: HEIGHT - 40 }), (x, y) => {
      const region = regionOf(painted(), painted([x, y, 25, 40]));
      expect(region).not.toBeNull();
      if (region === null) return;
      expect(region.x).toBeGreaterThanOrEqual(0);
      expect(region.y).toBeGreaterThanOrEqual(0);
      expect(region.x + region.width).toBeLessThanOrEqual(WIDTH);
      expect(region.y + region.height).toBeLessThanOrEqual(HEIGHT);
      // Cells are ten pixels wide.
      expect(x + 10).toBeGreaterThanOrEqual(region.x);
      expect(x + 15).toBeLessThanOrEqual(region.x + region.width);
      expect(y + 10).toBeGreaterThanOrEqual(region.y);
      expect(y + 30).toBeLessThanOrEqual(region.y + region.height);
    }),
  );
});

it.each([
  ['nothing moves', [painted(), painted()]],
  ['it is the first frame', [painted([10, 10, 30, 30])]],
  ['what moves is large', [painted(), painted([100, 50, 150, 250])]],
  ['the light is switched', [painted(), painted([0, 0, WIDTH, HEIGHT])]],
  ['small things move at both ends', [painted(), painted([5, 100, 20, 40], [600, 100, 20, 40])]],
])('is none where %s', (_, frames) => {
  expect(regionOf(...frames)).toBeNull();
});

it('holds somebody small who is followed and stands still', () => {
  const moving = new MovingRegion();
  moving.next(painted(), []);
  expect(moving.next(painted(), [{ x: 0.9, y: 0.5, width: 0.02, height: 0.08 }])).toEqual({
    x: 320,
    y: 34,
    width: 320,
    height: 320,
  });
});

it('is none of a frame that is as small as the model takes', () => {
  const small = (value: number) => ({ width: 320, height: 180, rgb: Buffer.alloc(320 * 180 * 3, value), wallMs: 0 });
  const moving = new MovingRegion();
  const changed = small(40);
  for (let row = 60; row < 80; row += 1) changed.rgb.fill(200, (row * 320 + 100) * 3, (row * 320 + 120) * 3);
  moving.next(small(40), []);
  expect(moving.next(changed, [])).toBeNull();
});
