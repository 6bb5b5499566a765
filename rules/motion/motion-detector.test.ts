// Motion and tamper detection on small grey frames: movement in the grid is reported once, light and noise are not.
import { expect, it } from 'vitest';
import { TamperDetector, type GreyFrame, MotionDetector } from './motion-detector.ts';

const [WIDTH, HEIGHT] = [64, 36];
const GRID = { columns: 16, rows: 9 };
const ALL = { ...GRID, cells: '1'.repeat(144) };

/** A scene with detail, noise of two steps, brighter by `light`, and a body of 8 × 12 pixels at `x`. */
function scene({ x, light = 0, seed = 0 }: { x?: number; light?: number; seed?: number } = {}): GreyFrame {
  const pixels = Uint8Array.from({ length: WIDTH * HEIGHT }, (_none, at) => {
    const [px, py] = [at % WIDTH, Math.floor(at / WIDTH)];
    const noise = (((at + 1) * 7919 + seed * 104_729) % 5) - 2;
    const isBody = x !== undefined && px >= x && px < x + 8 && py >= 12 && py < 24;
    return isBody ? 210 : 60 + ((px * 3 + py * 5) % 90) + light + noise;
  });
  return { width: WIDTH, height: HEIGHT, pixels };
}

function watch(pictures: readonly GreyFrame[], cells = ALL, sensitivity = 60): (readonly [number, boolean])[] {
  const judge = new MotionDetector(cells, sensitivity);
  return pictures.flatMap((picture, at) => (judge.detect(picture) ? [[at, judge.isMoving] as const] : []));
}

const quiet = (count: number, seed = 0) => Array.from({ length: count }, (_none, at) => scene({ seed: seed + at }));

it('[DC-01] a body crossing the view is one motion with one end; noise is none', () => {
  expect(watch(quiet(200))).toEqual([]);
  const crossing = [5, 15, 25, 35, 45].map((x, at) => scene({ x, seed: 90 + at }));
  expect(watch([...quiet(20), ...crossing, ...quiet(10, 200)])).toEqual([
    [20, true],
    [26, false],
  ]);
});

it('[DC-01] movement outside the selected cells, and switched or fading light, is no motion', () => {
  const right = { ...GRID, cells: '0000000000001111'.repeat(9) };
  const left = [2, 6, 10].map((x, at) => scene({ x, seed: at }));
  expect(watch([...quiet(5), ...left, ...quiet(5)], right)).toEqual([]);
  expect(watch([...quiet(5), ...left, ...quiet(5)])).not.toEqual([]);
  expect(watch([...quiet(5), ...quiet(20).map((_, at) => scene({ light: 80, seed: at }))])).toEqual([]);
  expect(watch(Array.from({ length: 60 }, (_none, at) => scene({ light: at, seed: at })))).toEqual([]);
});

it('[DC-01] lower sensitivity needs larger bodies; a grid without cells reports nothing', () => {
  const small = [...quiet(5), scene({ x: 20 }), ...quiet(5)];
  expect(watch(small, ALL, 100)).not.toEqual([]);
  expect(watch(small, ALL, 1)).toEqual([]);
  expect(watch(small, { ...GRID, cells: '0'.repeat(144) }, 100)).toEqual([]);
});

it('detects a hand before the lens; ignores dusk and views that were always flat', () => {
  const judge = new TamperDetector();
  const flat = (level: number): GreyFrame => ({
    width: WIDTH,
    height: HEIGHT,
    pixels: Uint8Array.from({ length: WIDTH * HEIGHT }, (_none, at) => level + (at % 3)),
  });
  for (const picture of quiet(20)) expect(judge.detect(picture)).toBe(false);
  for (let look = 0; look < 50; look += 1) expect(judge.detect(flat(20))).toBe(true);
  expect(judge.detect(scene())).toBe(false);
  const dark = new TamperDetector();
  for (let look = 0; look < 50; look += 1) expect(dark.detect(flat(20))).toBe(false);
  const dusk = new TamperDetector();
  for (let step = 0; step <= 200; step += 1) {
    const { pixels, ...size } = scene({ seed: step });
    const dimmed = pixels.map((pixel) => Math.round(100 + (pixel - 100) * (1 - step / 300)));
    expect(dusk.detect({ ...size, pixels: dimmed })).toBe(false);
  }
});
