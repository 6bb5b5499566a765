// The things that move: cars, a van, people, a forklift, a boat, a bird; drawn as flat shapes that face right.

import { type Canvas, type Colour, hex, mix, shade } from './canvas.ts';
import type { Sprite } from './scene.ts';

const TYRE = hex('1c1e22');
const GLASS = hex('a9c3cf');
const HUB = hex('8d949b');

/** The same thing facing left. */
export function mirrored(sprite: Sprite): Sprite {
  return {
    ...sprite,
    paint: (canvas) => {
      sprite.paint(canvas);
      mirror(canvas);
    },
  };
}

function mirror(canvas: Canvas): void {
  const { width, top, bottom, pixels } = canvas;
  for (let y = 0; y < bottom - top; y++) {
    for (let x = 0; x < width >> 1; x++) {
      const a = (y * width + x) * 4;
      const b = (y * width + width - 1 - x) * 4;
      for (let i = 0; i < 4; i++) {
        const kept = pixels[a + i] as number;
        pixels[a + i] = pixels[b + i] as number;
        pixels[b + i] = kept;
      }
    }
  }
}

function wheel(canvas: Canvas, x: number, y: number, radius: number): void {
  canvas.ellipse(x, y, radius, radius, TYRE);
  canvas.ellipse(x, y, radius * 0.5, radius * 0.5, HUB);
}

export function car(colour: Colour, size = 1): Sprite {
  const width = 54 * size;
  const height = 21 * size;
  return { width, height, paint: (canvas) => paintCar(canvas, colour, size) };
}

function paintCar(canvas: Canvas, colour: Colour, s: number): void {
  const dark = shade(colour, 0.72);
  const at = (points: readonly (readonly [number, number])[]) => points.map(([x, y]) => [x * s, y * s] as const);
  canvas.ellipse(27 * s, 19.2 * s, 26 * s, 1.6 * s, [0, 0, 0], 0.3);
  canvas.polygon(
    at([
      [11, 8],
      [17, 1.5],
      [34, 1.5],
      [43, 8.5],
    ]),
    dark,
  );
  canvas.polygon(
    at([
      [13, 8],
      [18, 2.8],
      [25, 2.8],
      [25, 8],
    ]),
    GLASS,
  );
  canvas.polygon(
    at([
      [26.5, 8],
      [26.5, 2.8],
      [33.5, 2.8],
      [40.5, 8],
    ]),
    GLASS,
  );
  canvas.polygon(
    at([
      [2, 8.6],
      [12, 7.8],
      [42, 8],
      [51, 10],
      [53, 13],
      [53, 17],
      [1, 17],
      [1, 11],
    ]),
    colour,
  );
  canvas.polygon(
    at([
      [1, 13.6],
      [53, 13.6],
      [53, 17],
      [1, 17],
    ]),
    dark,
  );
  canvas.rect(50.4 * s, 10.6 * s, 2.4 * s, 2 * s, hex('fff4c9'));
  canvas.rect(1 * s, 10.2 * s, 1.8 * s, 2.6 * s, hex('c4342b'));
  canvas.rect(24 * s, 10 * s, 3 * s, 0.7 * s, dark);
  wheel(canvas, 12 * s, 16.6 * s, 4 * s);
  wheel(canvas, 42 * s, 16.6 * s, 4 * s);
}

export function van(colour: Colour): Sprite {
  return {
    width: 66,
    height: 32,
    paint: (canvas) => {
      const dark = shade(colour, 0.75);
      canvas.ellipse(33, 30, 32, 1.8, [0, 0, 0], 0.3);
      canvas.polygon(
        [
          [1, 2],
          [46, 2],
          [46, 28],
          [1, 28],
        ],
        colour,
      );
      canvas.polygon(
        [
          [46, 6],
          [55, 6],
          [62, 16],
          [65, 18],
          [65, 28],
          [46, 28],
        ],
        mix(colour, hex('ffffff'), 0.12),
      );
      canvas.polygon(
        [
          [48.5, 8],
          [54, 8],
          [59.4, 16],
          [48.5, 16],
        ],
        GLASS,
      );
      canvas.rect(1, 23, 64, 5, dark);
      canvas.rect(1, 12, 45, 3, dark, 0.6);
      canvas.rect(63, 20, 2, 3, hex('fff4c9'));
      canvas.rect(1, 18, 1.4, 4, hex('c4342b'));
      wheel(canvas, 13, 27.4, 4.4);
      wheel(canvas, 52, 27.4, 4.4);
    },
  };
}

/** Two steps per person: names end in 0 and 1. */
export function person(coat: Colour, step: 0 | 1, size = 1): Sprite {
  return {
    width: 11 * size,
    height: 30 * size,
    paint: (canvas) => {
      const s = size;
      const trousers = hex('2b3140');
      const stride = step === 0 ? 2.4 : 0.6;
      canvas.ellipse(5.5 * s, 29 * s, 4.6 * s, 0.9 * s, [0, 0, 0], 0.28);
      canvas.line(5.2 * s, 17 * s, (5.2 - stride) * s, 28.5 * s, 2.3 * s, shade(trousers, 0.8));
      canvas.line(5.8 * s, 17 * s, (5.8 + stride) * s, 28.5 * s, 2.3 * s, trousers);
      canvas.polygon(
        [
          [3 * s, 7.6 * s],
          [8 * s, 7.6 * s],
          [8.4 * s, 18.6 * s],
          [2.6 * s, 18.6 * s],
        ],
        coat,
      );
      canvas.line(5.5 * s, 9 * s, (5.5 + stride * 0.9) * s, 17 * s, 1.7 * s, shade(coat, 0.75));
      canvas.ellipse(5.6 * s, 4.2 * s, 2.4 * s, 2.9 * s, hex('d9a987'));
      canvas.polygon(
        [
          [3.1 * s, 4 * s],
          [3.6 * s, 1.6 * s],
          [6 * s, 0.9 * s],
          [8 * s, 2.4 * s],
          [7.9 * s, 3.4 * s],
          [4.4 * s, 3.6 * s],
        ],
        hex('3a2c24'),
      );
    },
  };
}

export function forklift(load: Colour): Sprite {
  const yellow = hex('e2a325');
  return {
    width: 52,
    height: 36,
    paint: (canvas) => {
      canvas.ellipse(24, 34.4, 23, 1.4, [0, 0, 0], 0.3);
      canvas.rect(4, 18, 27, 12, yellow);
      canvas.polygon(
        [
          [4, 18],
          [8, 12],
          [14, 12],
          [14, 18],
        ],
        shade(yellow, 0.82),
      );
      canvas.line(9, 13, 12, 1.5, 1.4, hex('30343a'));
      canvas.line(28, 19, 26, 1.5, 1.4, hex('30343a'));
      canvas.rect(10, 0.6, 18, 1.6, hex('30343a'));
      canvas.ellipse(19, 8, 2.4, 2.8, hex('d9a987'));
      canvas.rect(16, 10.5, 7, 8, hex('3b6ea5'));
      canvas.rect(32, 3, 2.4, 29, hex('474c53'));
      canvas.rect(34, 30, 15, 1.4, hex('474c53'));
      canvas.rect(35.5, 17, 14, 12, load);
      canvas.rect(41.5, 17, 2, 12, shade(load, 0.8));
      canvas.rect(35, 29, 15, 1.4, hex('8a6a44'));
      canvas.rect(4, 24, 27, 2, shade(yellow, 0.7));
      wheel(canvas, 10, 30.6, 4);
      wheel(canvas, 27, 30.6, 4);
    },
  };
}

export function boat(hull: Colour): Sprite {
  return {
    width: 84,
    height: 34,
    paint: (canvas) => {
      canvas.polygon(
        [
          [2, 21],
          [82, 21],
          [74, 32],
          [10, 32],
        ],
        hull,
      );
      canvas.polygon(
        [
          [5, 27],
          [78, 27],
          [74, 32],
          [10, 32],
        ],
        hex('8c2f2b'),
      );
      canvas.rect(8, 10, 22, 11, hex('e6e8ea'));
      for (const x of [11, 17, 23]) canvas.rect(x, 12.5, 4, 3.5, GLASS);
      canvas.rect(15, 3, 5, 7, hex('d38b34'));
      canvas.line(58, 21, 58, 5, 1.2, hex('5a5f66'));
      canvas.line(58, 7, 74, 19, 0.8, hex('5a5f66'));
      canvas.rect(36, 14, 12, 7, hex('4a7ba6'));
      canvas.rect(49, 16, 7, 5, hex('b0603a'));
      canvas.rect(4, 19.4, 78, 1.6, shade(hull, 1.3));
      canvas.ellipse(42, 33, 40, 1, hex('ffffff'), 0.35);
    },
  };
}

export function bird(up: boolean): Sprite {
  return {
    width: 12,
    height: 8,
    paint: (canvas) => {
      const tip = up ? 1 : 6.4;
      const ink = hex('3c434d');
      canvas.line(6, 4, 1, tip, 1.1, ink);
      canvas.line(6, 4, 11, tip, 1.1, ink);
      canvas.ellipse(6, 4, 1.6, 0.9, ink);
    },
  };
}

/** A small lamp or a cursor: one plain patch. */
export function patch(width: number, height: number, colour: Colour): Sprite {
  return { width, height, shines: true, paint: (canvas) => canvas.rect(0, 0, width, height, colour) };
}
