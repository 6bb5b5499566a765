// Parts that several scenes share: skies, trees, lamp posts, façades, fences, parked cars, plants.

import { type Canvas, type Colour, hex, mix, shade } from '../painting/canvas.ts';
import { chance, type Lamp, type Look } from '../painting/scene.ts';

export const WARM: Colour = [1, 0.82, 0.52];

const DAY_SKY = [hex('7fb0d8'), hex('a9cbe4'), hex('d6e4ea')];

/** Sky of the day; night comes from the light, the glow of dusk from the look. */
export function sky(canvas: Canvas, height: number, look: Look): void {
  const dusk = 1 - Math.abs(look.night - 0.5) * 2;
  const warm = [hex('7c86b8'), hex('d9a08c'), hex('ffc68f')];
  canvas.gradient(
    0,
    0,
    320,
    height,
    DAY_SKY.map((colour, i) => mix(colour, warm[i] ?? colour, Math.max(0, dusk))),
  );
  if (look.night > 0.4) return;
  for (const [x, y, size] of [
    [46, 24, 1],
    [188, 15, 0.8],
    [268, 34, 1.1],
  ] as const)
    cloud(canvas, x + look.variant * 17, y, size);
}

function cloud(canvas: Canvas, x: number, y: number, size: number): void {
  const white = hex('f2f6f8');
  canvas.ellipse(x, y, 17 * size, 4 * size, white, 0.75);
  canvas.ellipse(x - 6 * size, y - 3 * size, 8 * size, 4.5 * size, white, 0.75);
  canvas.ellipse(x + 5 * size, y - 4 * size, 9 * size, 5.5 * size, white, 0.75);
}

/** Stars and a moon, painted after the light. */
export function nightSky(canvas: Canvas, height: number, look: Look): void {
  if (look.night < 0.7) return;
  for (let i = 0; i < 26; i++) {
    const size = 0.4 + chance(91, i) * 0.5;
    canvas.rect(chance(31 + look.variant, i) * 320, chance(57, i) * height * 0.8, size, size, hex('c9d4ea'), 0.8);
  }
  const x = 226 - look.variant * 13;
  canvas.ellipse(x, 21, 7, 7, hex('e8e6d2'));
  canvas.ellipse(x + 2.6, 19.6, 5.8, 5.8, hex('2a3450'));
}

/** Far hills or woods as a row of soft humps. */
export function treeline(canvas: Canvas, base: number, height: number, colour: Colour, seed: number): void {
  for (let x = -10; x < 330; x += 13) {
    const size = height * (0.6 + chance(seed, x) * 0.5);
    canvas.ellipse(x, base, 12, size, mix(colour, shade(colour, 0.85), chance(seed + 1, x)));
  }
}

export function tree(canvas: Canvas, x: number, ground: number, size: number): void {
  const leaf = hex('4d7f4a');
  canvas.ellipse(x, ground, 12 * size, 1.8 * size, [0, 0, 0], 0.22);
  canvas.rect(x - 1.4 * size, ground - 16 * size, 2.8 * size, 16 * size, hex('5d4634'));
  canvas.ellipse(x, ground - 24 * size, 11 * size, 12 * size, shade(leaf, 0.82));
  canvas.ellipse(x - 3 * size, ground - 27 * size, 8 * size, 8.5 * size, leaf);
  canvas.ellipse(x - 4.5 * size, ground - 30 * size, 4 * size, 4 * size, mix(leaf, hex('b9d18c'), 0.35));
}

export function bush(canvas: Canvas, x: number, ground: number, size: number): void {
  const leaf = hex('557f4b');
  for (const [dx, radius] of [
    [-7, 6],
    [0, 8],
    [8, 6.5],
  ] as const) {
    canvas.ellipse(
      x + dx * size,
      ground - radius * size * 0.6,
      radius * size,
      radius * size * 0.8,
      shade(leaf, 0.85 + dx * 0.012),
    );
  }
}

/** A lamp post; the light itself is the scene's `Lamp` of the same place. */
export function lampPost(canvas: Canvas, x: number, ground: number, height: number): void {
  const iron = hex('4a5058');
  canvas.rect(x - 0.8, ground - height, 1.6, height, iron);
  canvas.rect(x - 2, ground - 3, 4, 3, iron);
  canvas.line(x, ground - height, x + 8, ground - height - 2, 1.2, iron);
  canvas.rect(x + 5, ground - height - 3.2, 8, 1.8, iron);
}

export function lampOf(x: number, ground: number, height: number, reach = 95): Lamp {
  return { x: x + 9, y: ground - height * 0.35, reach, colour: WARM, strength: 0.8 };
}

/** The bright head of a lamp post at night with its halo. */
export function lampHead(canvas: Canvas, x: number, ground: number, height: number, look: Look): void {
  if (look.night < 0.4) return;
  const y = ground - height - 1;
  for (const [radius, opacity] of [
    [13, 0.06],
    [8, 0.1],
    [4.5, 0.18],
  ] as const)
    canvas.ellipse(x + 9, y, radius, radius, WARM, opacity);
  canvas.rect(x + 5.4, y - 0.4, 7.2, 1.4, hex('fff3d0'));
}

export interface Facade {
  readonly x: number;
  readonly y: number;
  readonly columns: number;
  readonly rows: number;
  readonly width: number;
  readonly height: number;
  readonly stepX: number;
  readonly stepY: number;
}

export function drawWindows(canvas: Canvas, facade: Facade, glass: Colour): void {
  eachWindow(facade, (x, y) => {
    canvas.rect(x - 0.8, y - 0.8, facade.width + 1.6, facade.height + 1.6, shade(glass, 0.6));
    canvas.rect(x, y, facade.width, facade.height, glass);
    canvas.polygon(
      [
        [x, y + facade.height],
        [x + facade.width * 0.7, y],
        [x + facade.width, y],
        [x + facade.width, y + 1],
        [x + 1.5, y + facade.height],
      ],
      hex('ffffff'),
      0.12,
    );
  });
}

/** Some windows are lit at night. */
export function litWindows(canvas: Canvas, facade: Facade, look: Look, seed: number): void {
  if (look.night < 0.35) return;
  let index = 0;
  eachWindow(facade, (x, y) => {
    const luck = chance(seed + look.variant, index++);
    if (luck > 0.5) return;
    canvas.rect(x, y, facade.width, facade.height, mix(hex('ffd58a'), hex('f2e8cf'), luck * 2));
    canvas.rect(x, y + facade.height * 0.55, facade.width, facade.height * 0.45, hex('d9a55c'), 0.45);
  });
}

function eachWindow(facade: Facade, visit: (x: number, y: number) => void): void {
  for (let row = 0; row < facade.rows; row++) {
    for (let column = 0; column < facade.columns; column++)
      visit(facade.x + column * facade.stepX, facade.y + row * facade.stepY);
  }
}

export function fence(canvas: Canvas, fromX: number, toX: number, ground: number, height: number): void {
  const steel = hex('5b646d');
  canvas.rect(fromX, ground - height + 2, toX - fromX, 1, steel);
  canvas.rect(fromX, ground - 3, toX - fromX, 1, steel);
  for (let x = fromX; x <= toX; x += 4) canvas.rect(x, ground - height, 0.8, height, steel);
}

/** A car seen from the front, as it stands in a bay. */
export function parkedCar(canvas: Canvas, x: number, ground: number, size: number, colour: Colour): void {
  const s = size;
  canvas.ellipse(x, ground, 15 * s, 2 * s, [0, 0, 0], 0.32);
  canvas.rect(x - 12.5 * s, ground - 4 * s, 4.4 * s, 4 * s, hex('1c1e22'));
  canvas.rect(x + 8.1 * s, ground - 4 * s, 4.4 * s, 4 * s, hex('1c1e22'));
  canvas.polygon(
    [
      [x - 10.5 * s, ground - 11 * s],
      [x - 7.6 * s, ground - 18 * s],
      [x + 7.6 * s, ground - 18 * s],
      [x + 10.5 * s, ground - 11 * s],
    ],
    shade(colour, 0.8),
  );
  canvas.polygon(
    [
      [x - 9 * s, ground - 11 * s],
      [x - 6.8 * s, ground - 16.8 * s],
      [x + 6.8 * s, ground - 16.8 * s],
      [x + 9 * s, ground - 11 * s],
    ],
    hex('8fa9b5'),
  );
  canvas.polygon(
    [
      [x - 13 * s, ground - 2.4 * s],
      [x - 13 * s, ground - 9 * s],
      [x - 10 * s, ground - 11.4 * s],
      [x + 10 * s, ground - 11.4 * s],
      [x + 13 * s, ground - 9 * s],
      [x + 13 * s, ground - 2.4 * s],
    ],
    colour,
  );
  canvas.rect(x - 6 * s, ground - 7.4 * s, 12 * s, 3 * s, shade(colour, 0.55));
  canvas.rect(x - 12 * s, ground - 8.4 * s, 4.4 * s, 2.2 * s, hex('f4efd8'));
  canvas.rect(x + 7.6 * s, ground - 8.4 * s, 4.4 * s, 2.2 * s, hex('f4efd8'));
}

/** A plant in a pot. */
export function plant(canvas: Canvas, x: number, ground: number, size: number): void {
  const leaf = hex('3f7a4d');
  for (const [dx, dy] of [
    [-9, -22],
    [-5, -29],
    [0, -33],
    [5, -28],
    [10, -21],
  ] as const) {
    canvas.line(
      x,
      ground - 8 * size,
      x + dx * size,
      ground + dy * size,
      2.8 * size,
      mix(leaf, hex('8bb070'), (dx + 9) / 40),
    );
  }
  canvas.polygon(
    [
      [x - 5 * size, ground - 10 * size],
      [x + 5 * size, ground - 10 * size],
      [x + 3.8 * size, ground],
      [x - 3.8 * size, ground],
    ],
    hex('d8d4cb'),
  );
}

/** Floor lines towards a vanishing point: depth for rooms and yards. */
export function floorGrid(canvas: Canvas, horizon: number, vanishX: number, colour: Colour, opacity: number): void {
  for (let x = -480; x <= 800; x += 64)
    canvas.line(vanishX + (x - vanishX) * 0.08, horizon, x, 180, 0.6, colour, opacity);
  for (let step = 1; step < 8; step++) {
    const y = horizon + (180 - horizon) * (step / 8) ** 1.8;
    canvas.line(0, y, 320, y, 0.6, colour, opacity);
  }
}
