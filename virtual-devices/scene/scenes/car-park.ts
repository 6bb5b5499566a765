// Scene "car park": two rows of bays, a hedge, a distant office, cars that come and go along the aisle.

import { passage } from '../painting/actors.ts';
import { type Canvas, type Colour, hex } from '../painting/canvas.ts';
import { chance, type Look, type Scene } from '../painting/scene.ts';
import { car, mirrored, person } from '../painting/sprites.ts';
import {
  bush,
  lampHead,
  lampOf,
  lampPost,
  litWindows,
  nightSky,
  parkedCar,
  sky,
  tree,
  treeline,
  drawWindows,
} from './props.ts';

const OFFICE = { x: 22, y: 30, columns: 9, rows: 4, width: 8, height: 7, stepX: 13, stepY: 12 };
const POSTS = [66, 196, 300] as const;
const PAINTS: readonly Colour[] = ['b13c36', 'c9ced2', '39618f', '2f343a', 'd8d3c6', '5f7f68', 'a98f5a', '7a4a63'].map(
  hex,
);

function paint(canvas: Canvas, look: Look): void {
  sky(canvas, 80, look);
  treeline(canvas, 82, 17, hex('76977d'), 9 + look.variant);
  canvas.rect(12, 22, 128, 62, look.variant === 0 ? hex('c9b79f') : hex('a9b2b8'));
  canvas.rect(12, 18, 128, 5, hex('8f8577'));
  drawWindows(canvas, OFFICE, hex('87a9bd'));
  canvas.rect(0, 82, 320, 10, hex('7c9a5f'));
  for (const x of [164, 232, 282]) tree(canvas, x, 90, 0.9);
  for (let x = 4; x < 320; x += 22) bush(canvas, x, 95, 0.75);
  canvas.gradient(0, 94, 320, 86, [hex('7b7e82'), hex('65696e')]);
  canvas.rect(0, 93, 320, 2, hex('bdbab1'));
  bays(canvas, 96, 122, 30, look, 0);
  bays(canvas, 158, 180, 42, look, 50);
  for (let x = 10; x < 320; x += 60) arrow(canvas, x, 141);
  for (const x of POSTS) lampPost(canvas, x, 96, 52);
}

function bays(canvas: Canvas, top: number, bottom: number, width: number, look: Look, seed: number): void {
  const size = width / 32;
  for (let bay = 0; bay * width < 330; bay++) {
    const x = bay * width + 6;
    canvas.polygon(
      [
        [x, top],
        [x + 1.3, top],
        [x - 1.5, bottom],
        [x - 3, bottom],
      ],
      hex('d9d6cc'),
    );
    if (chance(seed + look.variant * 31, bay) < 0.3) continue;
    const colour = PAINTS[Math.floor(chance(seed + 7 + look.variant, bay) * PAINTS.length)] as Colour;
    parkedCar(canvas, x + width / 2 - 1, bottom - 2, size, colour);
  }
}

function arrow(canvas: Canvas, x: number, y: number): void {
  canvas.rect(x, y - 0.7, 12, 1.4, hex('c9c6bc'));
  canvas.polygon(
    [
      [x + 12, y - 3],
      [x + 18, y],
      [x + 12, y + 3],
    ],
    hex('c9c6bc'),
  );
}

export const carPark: Scene = {
  indoor: false,
  paint,
  shine: (canvas, look) => {
    nightSky(canvas, 20, look);
    litWindows(canvas, OFFICE, look, 21);
    for (const x of POSTS) lampHead(canvas, x, 96, 52, look);
  },
  lamps: POSTS.map((x) => lampOf(x, 140, 52, 110)),
  actors: [
    passage({
      sprites: ['white', 'green', 'red'],
      mirrored: ['whiteL', 'greenL', 'redL'],
      y: 126,
      speed: 30,
      period: 30,
      offset: 3,
      day: 0.75,
      night: 0.2,
      seed: 12,
    }),
    passage({
      sprites: ['walker'],
      mirrored: ['walkerL'],
      y: 97,
      speed: 12,
      period: 60,
      offset: 18,
      day: 0.8,
      night: 0.15,
      steps: { count: 2, rate: 2 },
      seed: 15,
    }),
  ],
  sprites: {
    white: car(hex('e3e5e6')),
    whiteL: mirrored(car(hex('e3e5e6'))),
    green: car(hex('4f7a5b')),
    greenL: mirrored(car(hex('4f7a5b'))),
    red: car(hex('a8322f')),
    redL: mirrored(car(hex('a8322f'))),
    walker0: person(hex('3f6fa8'), 0),
    walker1: person(hex('3f6fa8'), 1),
    walkerL0: mirrored(person(hex('8a4f74'), 0)),
    walkerL1: mirrored(person(hex('8a4f74'), 1)),
  },
};
