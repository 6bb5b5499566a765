// What may not be seen any more is gone at once, and what was on its way then does not come back.
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { TileSurface } from './tile-surface.ts';

interface HandBitmap {
  readonly width: number;
  readonly height: number;
  readonly close: () => void;
}

let onScreen: HandBitmap | null = null;
const canvas = {
  width: 0,
  height: 0,
  dataset: {},
  remove: () => undefined,
  getContext: () => ({
    transferFromImageBitmap: (bitmap: HandBitmap | null) => {
      onScreen = bitmap;
    },
  }),
};

beforeEach(() => vi.stubGlobal('document', { createElement: () => canvas }));
afterEach(() => void vi.unstubAllGlobals());

function picture(width: number) {
  const bitmap = { width, height: width / 2, close: vi.fn<() => void>() };
  return { bitmap, painted: { at: 1, bitmap: bitmap as unknown as ImageBitmap } };
}

test('a frame sets the canvas to its own size', () => {
  const surface = new TileSurface({ append: () => undefined } as unknown as HTMLElement);
  const one = picture(640);
  expect(surface.show(one.painted, 1)).toBe(true);
  expect(onScreen).toBe(one.bitmap);
  expect([canvas.width, canvas.height]).toEqual([640, 320]);
});

test('a blanked surface ignores frames of its seek until the next seek or until it is allowed again', () => {
  const surface = new TileSurface({ append: () => undefined } as unknown as HTMLElement);
  surface.show(picture(640).painted, 3);
  surface.darken(3);
  expect(onScreen).toBeNull();
  const late = picture(640);
  expect(surface.show(late.painted, 3)).toBe(false);
  expect(late.bitmap.close).toHaveBeenCalledOnce();
  expect(onScreen).toBeNull();
  expect(surface.show(picture(320).painted, 4)).toBe(true);
  surface.darken(4);
  surface.lighten();
  expect(surface.show(picture(320).painted, 4)).toBe(true);
});
