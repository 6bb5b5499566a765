// Digital zoom never shows what is beside the picture, and keeps the point under the pointer.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isZoomed, panBy, WHOLE_FRAME, type ZoomView, zoomAt, zoomTransform } from './zoom-view.ts';

const fraction = fc.double({ min: 0, max: 1, noNaN: true });

function pointAt(view: ZoomView, x: number): number {
  return view.left + x / view.scale;
}

describe('digital zoom', () => {
  test('keeps the point under the pointer while it zooms in', () => {
    const view = zoomAt(WHOLE_FRAME, 2, 0.25, 0.75);
    expect(pointAt(view, 0.25)).toBeCloseTo(0.25);
    expect(view).toEqual({ scale: 2, left: 0.125, top: 0.375 });
    expect(zoomTransform(view)).toBe('translate(-25%, -75%) scale(2)');
  });

  test('ends at eight times and at the whole picture', () => {
    expect(zoomAt(WHOLE_FRAME, 1000).scale).toBe(8);
    expect(zoomAt(zoomAt(WHOLE_FRAME, 3, 1, 1), 0.2)).toBe(WHOLE_FRAME);
    expect(isZoomed(zoomAt(WHOLE_FRAME, 1.25))).toBe(true);
  });

  test('no sequence of steps leaves the image', () => {
    const step = fc.oneof(
      fc.record({ factor: fc.double({ min: 0.2, max: 5, noNaN: true }), x: fraction, y: fraction }),
      fc.record({
        panX: fc.double({ min: -2, max: 2, noNaN: true }),
        panY: fc.double({ min: -2, max: 2, noNaN: true }),
      }),
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 20 }), (steps) => {
        let view = WHOLE_FRAME;
        for (const one of steps) {
          view = 'factor' in one ? zoomAt(view, one.factor, one.x, one.y) : panBy(view, one.panX, one.panY);
          expect(view.scale).toBeGreaterThanOrEqual(1);
          for (const edge of [view.left, view.top]) {
            expect(edge).toBeGreaterThanOrEqual(0);
            expect(edge + 1 / view.scale).toBeLessThanOrEqual(1 + 1e-9);
          }
        }
      }),
    );
  });
});
