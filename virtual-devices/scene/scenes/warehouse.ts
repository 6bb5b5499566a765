// Scene "warehouse": high racks with boxes left and right of an aisle, a forklift that carries pallets across.

import { passage } from '../painting/actors.ts';
import { type Canvas, type Colour, hex, shade } from '../painting/canvas.ts';
import { chance, type Look, type Scene } from '../painting/scene.ts';
import { forklift, mirrored, person } from '../painting/sprites.ts';
import { floorGrid } from './props.ts';

const BOXES: readonly Colour[] = ['b98a57', 'a97a4b', 'c79c69', '8f6f4d', '7c93a6', 'b0b4b3'].map(hex);
const LIGHTS = [64, 160, 256] as const;

function paint(canvas: Canvas, look: Look): void {
  canvas.gradient(0, 0, 320, 110, [hex('59636e'), hex('8d97a0')]);
  for (let x = 0; x < 320; x += 20) canvas.rect(x, 0, 1, 108, hex('4d5761'), 0.5);
  for (let i = 0; i < 4; i++) canvas.rect(0, 6 + i * 9, 320, 1.6, hex('3f4851'));
  canvas.rect(128, 50, 64, 58, hex('4f5a66'));
  for (let y = 54; y < 106; y += 6) canvas.rect(130, y, 60, 4.4, hex('707d89'));
  canvas.rect(126, 46, 68, 4, hex('e2b13c'));
  canvas.gradient(0, 107, 320, 73, [hex('8f8e89'), hex('a8a69f')]);
  floorGrid(canvas, 107, 160, hex('7d7c77'), 0.4);
  for (const [x, width] of [
    [0, 116],
    [204, 116],
  ] as const)
    rack(canvas, x, width, look);
  canvas.polygon(
    [
      [104, 107],
      [108, 107],
      [52, 180],
      [42, 180],
    ],
    hex('e2c13c'),
  );
  canvas.polygon(
    [
      [212, 107],
      [216, 107],
      [278, 180],
      [268, 180],
    ],
    hex('e2c13c'),
  );
  pallet(canvas, 18, 168, 1.25);
  pallet(canvas, 286, 172, 1.4);
}

function rack(canvas: Canvas, x: number, width: number, look: Look): void {
  for (let level = 0; level < 3; level++) {
    const shelf = 53 + level * 28;
    for (let at = x + 3; at < x + width - 12; ) {
      const wide = 10 + chance(level * 17 + look.variant, at + x) * 9;
      const high = 12 + chance(level * 29 + 3 + look.variant, at + x) * 11;
      const index = chance(level * 41 + 5 + look.variant, at + x);
      const colour = BOXES[Math.floor(index * BOXES.length)] as Colour;
      if (chance(level * 5 + look.variant * 3, at) > 0.12)
        box(canvas, at, shelf - high, Math.min(wide, x + width - at - 3), high, colour);
      at += wide + 2;
    }
    canvas.rect(x, shelf, width, 3, hex('d9772f'));
    canvas.rect(x, shelf + 2, width, 1, hex('a85a22'));
  }
  for (const post of [x, x + width / 2 - 1.5, x + width - 3]) canvas.rect(post, 24, 3, 88, hex('2f5d8a'));
}

function box(canvas: Canvas, x: number, y: number, width: number, height: number, colour: Colour): void {
  canvas.rect(x, y, width, height, colour);
  canvas.rect(x + width * 0.42, y, width * 0.16, height, shade(colour, 0.85));
  canvas.rect(x + width - 1, y, 1, height, shade(colour, 0.72));
}

function pallet(canvas: Canvas, x: number, ground: number, size: number): void {
  canvas.ellipse(x, ground, 22 * size, 2 * size, [0, 0, 0], 0.25);
  box(canvas, x - 18 * size, ground - 22 * size, 17 * size, 19 * size, BOXES[0] as Colour);
  box(canvas, x, ground - 17 * size, 17 * size, 14 * size, BOXES[2] as Colour);
  canvas.rect(x - 19 * size, ground - 3.4 * size, 38 * size, 3 * size, hex('8a6a44'));
}

export const warehouse: Scene = {
  indoor: true,
  paint,
  shine: (canvas) => {
    for (const x of LIGHTS) {
      canvas.rect(x - 14, 3, 28, 3, hex('f4fbff'));
      canvas.ellipse(x, 6, 22, 6, [0.9, 0.97, 1], 0.16);
    }
  },
  lamps: LIGHTS.map((x) => ({ x, y: 66, reach: 120, colour: [0.86, 0.95, 1], strength: 0.4 })),
  actors: [
    passage({
      sprites: ['fork', 'forkBlue'],
      mirrored: ['forkL', 'forkBlueL'],
      y: 126,
      speed: 26,
      period: 40,
      offset: 2,
      day: 0.9,
      night: 0.6,
      stop: { x: 120, seconds: 4 },
      seed: 32,
    }),
    passage({
      sprites: ['worker'],
      mirrored: ['workerL'],
      y: 104,
      speed: 13,
      period: 60,
      offset: 24,
      day: 0.8,
      night: 0.5,
      steps: { count: 2, rate: 2 },
      from: 116,
      to: 196,
      seed: 35,
    }),
  ],
  sprites: {
    fork: forklift(hex('b98a57')),
    forkL: mirrored(forklift(hex('b98a57'))),
    forkBlue: forklift(hex('6d8ba6')),
    forkBlueL: mirrored(forklift(hex('6d8ba6'))),
    worker0: person(hex('e58a2b'), 0, 1.05),
    worker1: person(hex('e58a2b'), 1, 1.05),
    workerL0: mirrored(person(hex('e58a2b'), 0, 1.05)),
    workerL1: mirrored(person(hex('e58a2b'), 1, 1.05)),
  },
};
