// Proves that the strip survives drawing, scaling and RGB, and that a spoilt strip is refused, not misread.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { drawStrip, stripArea } from './overlay.ts';
import { createPlanes } from '../codec/planes.ts';
import { readStrip, readStripFromLuma, readStripFromRgba, stripBits } from './strip.ts';

const content = fc.record({ frame: fc.nat(0xffff_ffff), wallMs: fc.nat(2 ** 47) });

test('what was drawn is read in every stream size, also from a scaled picture', () => {
  fc.assert(
    fc.property(content, fc.constantFrom(320, 640, 1280), (drawn, width) => {
      const planes = createPlanes(width, (width * 9) / 16);
      drawStrip(planes, width, stripBits(drawn), stripArea(width));
      expect(readStripFromLuma(planes.y, planes.stride, width)).toEqual(drawn);
      const half = (x: number, y: number) => planes.y[y * 2 * planes.stride + x * 2] ?? 0;
      if (width > 320) expect(readStrip(half, width / 2)).toEqual(drawn);
    }),
    { numRuns: 60 },
  );
});

test('it is read from canvas pixels', () => {
  const planes = createPlanes(320, 180);
  const drawn = { frame: 4711, wallMs: Date.parse('2026-11-21T10:20:30.405Z') };
  drawStrip(planes, 320, stripBits(drawn), stripArea(320));
  const pixels = new Uint8ClampedArray(320 * 180 * 4);
  for (let i = 0; i < 320 * 180; i++) pixels.fill(((planes.y[i] as number) - 16) * (255 / 219), i * 4, i * 4 + 3);
  expect(readStripFromRgba(pixels, 320)).toEqual(drawn);
});

test('a picture without a strip and a strip with a wrong bit give null', () => {
  const planes = createPlanes(640, 360);
  expect(readStripFromLuma(planes.y, planes.stride, 640)).toBeNull();
  drawStrip(planes, 640, stripBits({ frame: 1, wallMs: 2 }), stripArea(640));
  for (let y = 0; y < 4; y++) planes.y.fill(172, y * planes.stride + 80, y * planes.stride + 84);
  expect(readStripFromLuma(planes.y, planes.stride, 640)).toBeNull();
});
