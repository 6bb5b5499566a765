// The part around a box holds the pixels that are there, and never leaves the picture.
import { describe, expect, it } from 'vitest';
import { croppedFrame } from './cropped-frame.ts';

/** Each pixel tells its column and row. */
function picture(width: number, height: number) {
  const rgb = Buffer.alloc(width * height * 3);
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) rgb.set([x % 256, y % 256, 7], (y * width + x) * 3);
  }
  return { width, height, rgb };
}

describe('a cropped frame', () => {
  it('is a square around the box with some of what is beside it', () => {
    const { width, height, rgb } = croppedFrame(picture(200, 200), { x: 0.25, y: 0.25, width: 0.25, height: 0.5 });
    expect([width, height, rgb.length]).toEqual([140, 140, 140 * 140 * 3]);
    // Its middle is that of the box: column 75, row 100.
    expect([...rgb.subarray(0, 3)]).toEqual([5, 30, 7]);
  });

  it.each([
    ['upper left', { x: 0, y: 0, width: 0.1, height: 0.2 }, [0, 0]],
    ['lower right', { x: 0.9, y: 0.8, width: 0.1, height: 0.2 }, [104, 104]],
    ['whole picture', { x: 0, y: 0, width: 1, height: 1 }, [0, 0]],
  ] as const)('stays within the picture: %s', (_where, box, [x, y]) => {
    const { width, height, rgb } = croppedFrame(picture(200, 200), box);
    expect(rgb.length).toBe(width * height * 3);
    expect([...rgb.subarray(0, 2)]).toEqual([x, y]);
    expect([rgb.at(-3), rgb.at(-2)]).toEqual([x + width - 1, y + height - 1]);
  });

  it('is no square where the picture is not as high', () => {
    const { width, height } = croppedFrame(picture(300, 60), { x: 0.4, y: 0, width: 0.2, height: 1 });
    expect([width, height]).toEqual([96, 60]);
  });
});
