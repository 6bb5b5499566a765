// Frames scaled into the square of a model: colours, means, regions.
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { letterbox } from './letterbox.ts';
import { COLOURS_OF } from './model-kinds.ts';

const SIZE = 32;
const planesOf = () => new Float32Array(3 * SIZE * SIZE);
/** What the model was trained with, for blue, green and red. */
const scaled = (value: number, plane: 0 | 1 | 2) =>
  (value - ([103.53, 116.28, 123.675] as const)[plane]) / ([57.375, 57.12, 58.395] as const)[plane];

function filled(width: number, height: number, [red, green, blue]: readonly [number, number, number]) {
  return {
    width,
    height,
    rgb: Uint8Array.from({ length: width * height * 3 }, (_, at) => [red, green, blue][at % 3] ?? 0),
  };
}

const boxed = (frame: ReturnType<typeof filled>, region = { x: 0, y: 0, width: frame.width, height: frame.height }) =>
  letterbox(frame, region, { size: SIZE, planes: planesOf(), colours: COLOURS_OF.nanodet });

it('keeps a colour of any size, and fills the rest with grey', () => {
  const side = fc.integer({ min: 1, max: 90 });
  fc.assert(
    fc.property(side, side, (width, height) => {
      const box = boxed(filled(width, height, [200, 100, 50]));
      expect(Math.max(box.width, box.height)).toBe(SIZE);
      for (let y = 0; y < SIZE; y += 1)
        for (let x = 0; x < SIZE; x += 1) {
          const isPicture = x < box.width && y < box.height;
          const [red, green, blue] = isPicture ? [200, 100, 50] : [114, 114, 114];
          const at = y * SIZE + x;
          expect(box.planes[at]).toBeCloseTo(scaled(blue, 0), 4);
          expect(box.planes[SIZE * SIZE + at]).toBeCloseTo(scaled(green, 1), 4);
          expect(box.planes[2 * SIZE * SIZE + at]).toBeCloseTo(scaled(red, 2), 4);
        }
    }),
    { numRuns: 30 },
  );
});

it('takes the mean of the pixels that one covers', () => {
  // Columns in turn black and white: each pair becomes a grey in the middle.
  const rgb = Uint8Array.from({ length: 64 * 64 * 3 }, (_, at) => (Math.floor(at / 3) % 2 === 0 ? 0 : 255));
  const { planes } = boxed({ width: 64, height: 64, rgb });
  expect(planes[0]).toBeCloseTo(scaled(127.5, 0), 4);
  expect(planes[SIZE * SIZE - 1]).toBeCloseTo(scaled(127.5, 0), 4);
});

it('enlarges a region, and shows nothing of what is around it', () => {
  const [width, height] = [64, 48];
  const region = { x: 40, y: 20, width: 8, height: 16 };
  const isInside = (x: number, y: number) => x >= 40 && x < 48 && y >= 20 && y < 36;
  const rgb = Uint8Array.from({ length: width * height * 3 }, (_, at) => {
    const pixel = Math.floor(at / 3);
    return isInside(pixel % width, Math.floor(pixel / width)) ? 255 : 0;
  });
  const box = boxed({ width, height, rgb }, region);
  expect([box.width, box.height]).toEqual([16, 32]);
  for (let y = 0; y < 32; y += 1)
    for (let x = 0; x < 16; x += 1) expect(box.planes[y * SIZE + x]).toBeCloseTo(scaled(255, 0), 4);
});
