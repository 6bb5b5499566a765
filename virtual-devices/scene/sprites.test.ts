// Proves that a mirrored sprite is the same picture the other way round.
import { expect, test } from 'vitest';
import { Canvas, hex } from './painting/canvas.ts';
import { car, mirrored } from './painting/sprites.ts';

test('a mirrored sprite shows each column of the plain one at the other end of its row', () => {
  const plain = car(hex('b23a34'));
  const [right, left] = [plain, mirrored(plain)].map((sprite) => {
    const canvas = new Canvas(sprite.width, sprite.height, 1);
    sprite.paint(canvas);
    const { width, pixels } = canvas;
    return Array.from({ length: sprite.height }, (_, y) =>
      Array.from({ length: width }, (_, x) => [...pixels.subarray((y * width + x) * 4, (y * width + x) * 4 + 4)]),
    );
  });
  expect(left).not.toEqual(right);
  expect(left).toEqual(right?.map((row) => row.toReversed()));
});
