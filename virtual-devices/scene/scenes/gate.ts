// Scene "gate": a brick gate house, a barrier that lifts for cars, lamps along the fence.

import { passage } from '../painting/actors.ts';
import { type Canvas, hex, shade } from '../painting/canvas.ts';
import type { Actor, Look, Scene, Sprite } from '../painting/scene.ts';
import { car, mirrored, person, van } from '../painting/sprites.ts';
import { fence, lampHead, lampOf, lampPost, litWindows, nightSky, sky, tree, treeline, drawWindows } from './props.ts';

const HOUSE_WINDOWS = { x: 58, y: 83, columns: 2, rows: 1, width: 20, height: 15, stepX: 27, stepY: 0 };
const OFFICE_WINDOWS = { x: 206, y: 57, columns: 8, rows: 3, width: 8, height: 8, stepX: 14, stepY: 14 };
const POSTS = [22, 172, 300] as const;

function paint(canvas: Canvas, look: Look): void {
  sky(canvas, 90, look);
  treeline(canvas, 92, 22, hex('6d8f7c'), 5);
  canvas.rect(196, 48, 124, 50, hex('c2bfb8'));
  canvas.rect(196, 45, 124, 4, hex('9a9891'));
  drawWindows(canvas, OFFICE_WINDOWS, hex('8fb0c2'));
  canvas.rect(0, 96, 320, 20, hex('7d9a5c'));
  tree(canvas, 18, 106, 1);
  tree(canvas, 148, 105, 1);
  tree(canvas, 184, 105, 0.75);
  fence(canvas, 118, 320, 114, 17);
  canvas.gradient(0, 116, 320, 64, [hex('74787c'), hex('63676c')]);
  canvas.rect(0, 114, 320, 4, hex('b8b5ad'));
  for (let x = 6; x < 320; x += 36) canvas.rect(x, 154, 18, 1.8, hex('dcd9cf'));
  canvas.rect(0, 176, 320, 4, hex('a3a099'));
  house(canvas);
  for (const x of POSTS) lampPost(canvas, x, 117, 56);
  canvas.rect(121, 100, 8, 20, hex('e0b23c'));
  canvas.rect(121, 104, 8, 3, shade(hex('e0b23c'), 0.6));
}

function house(canvas: Canvas): void {
  canvas.rect(44, 72, 74, 46, hex('b4664b'));
  for (let y = 76; y < 118; y += 5) canvas.rect(44, y, 74, 0.6, hex('9c5540'));
  canvas.polygon(
    [
      [38, 73],
      [124, 73],
      [118, 64],
      [46, 64],
    ],
    hex('4b525c'),
  );
  canvas.rect(38, 72, 86, 2, hex('3a4048'));
  drawWindows(canvas, HOUSE_WINDOWS, hex('9fc0cf'));
  canvas.rect(44, 112, 74, 6, hex('8a4b39'));
  canvas.rect(50, 104, 62, 1.6, hex('d9d4c8'));
}

const barrier: Actor = {
  place: (timeMs) => {
    // Lifted for the 8 seconds in which traffic passes, once in 24.
    const second = (timeMs / 1000) % 24;
    return second >= 5 && second < 15
      ? { sprite: 'barrierUp', x: 122, y: 64 }
      : { sprite: 'barrierDown', x: 122, y: 100 };
  },
};

const barrierDown: Sprite = {
  width: 88,
  height: 8,
  paint: (canvas) => {
    for (let i = 0; i < 8; i++) canvas.rect(4 + i * 10, 2, 10, 3, i % 2 === 0 ? hex('d8443a') : hex('f1efe9'));
    canvas.rect(82, 1, 3, 6, hex('d8443a'));
  },
};

const barrierUp: Sprite = {
  width: 34,
  height: 44,
  paint: (canvas) => {
    for (let i = 0; i < 5; i++) {
      canvas.line(4 + i * 5, 41 - i * 8, 9 + i * 5, 33 - i * 8, 3, i % 2 === 0 ? hex('d8443a') : hex('f1efe9'));
    }
  },
};

export const gate: Scene = {
  indoor: false,
  paint,
  shine: (canvas, look) => {
    nightSky(canvas, 60, look);
    litWindows(canvas, OFFICE_WINDOWS, look, 11);
    if (look.night > 0.3) {
      for (const x of [58, 85]) canvas.rect(x, 83, 20, 15, hex('ffd890'));
      canvas.rect(63, 89, 6, 9, hex('6b4a34'), 0.7);
    }
    for (const x of POSTS) lampHead(canvas, x, 117, 56, look);
  },
  lamps: [
    ...POSTS.map((x) => lampOf(x, 150, 56, 105)),
    { x: 80, y: 120, reach: 60, colour: [1, 0.8, 0.5], strength: 0.5 },
  ],
  actors: [
    barrier,
    passage({
      sprites: ['red', 'silver', 'blue', 'van'],
      mirrored: ['redL', 'silverL', 'blueL', 'vanL'],
      y: 134,
      speed: 46,
      period: 24,
      offset: 4,
      day: 0.8,
      night: 0.3,
      seed: 3,
    }),
    passage({
      sprites: ['walker'],
      y: 104,
      speed: 11,
      period: 60,
      offset: 26,
      day: 0.7,
      night: 0.15,
      steps: { count: 2, rate: 2 },
      from: 130,
      to: 330,
      seed: 8,
    }),
  ],
  sprites: {
    barrierDown,
    barrierUp,
    red: car(hex('b23a34')),
    redL: mirrored(car(hex('b23a34'))),
    silver: car(hex('b9c0c6')),
    silverL: mirrored(car(hex('b9c0c6'))),
    blue: car(hex('345f95')),
    blueL: mirrored(car(hex('345f95'))),
    van: van(hex('e4e2dc')),
    vanL: mirrored(van(hex('e4e2dc'))),
    walker0: person(hex('d77b32'), 0),
    walker1: person(hex('d77b32'), 1),
  },
};
