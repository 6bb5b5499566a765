// Scene "lobby": a bright hall with a reception desk, glass doors to the street, plants, people who come and go.

import { passage } from '../painting/actors.ts';
import { type Canvas, hex, mix, shade } from '../painting/canvas.ts';
import type { Look, Scene } from '../painting/scene.ts';
import { mirrored, person } from '../painting/sprites.ts';
import { floorGrid, plant } from './props.ts';

const LIGHTS = [70, 160, 250] as const;

function paint(canvas: Canvas, look: Look): void {
  const wall = look.variant === 0 ? hex('d9cdbd') : hex('bfccd0');
  canvas.gradient(0, 0, 320, 20, [hex('e9e4dc'), hex('d9d3ca')]);
  canvas.gradient(0, 20, 320, 92, [wall, shade(wall, 0.9)]);
  canvas.gradient(0, 110, 320, 70, [hex('a79b8c'), hex('c4b8a8')]);
  floorGrid(canvas, 110, 160, hex('8f8476'), 0.5);
  for (const x of [0, 296]) {
    canvas.rect(x, 18, 24, 100, shade(wall, 0.78));
    canvas.rect(x + (x === 0 ? 20 : 0), 18, 4, 100, shade(wall, 0.68));
  }
  doors(canvas);
  desk(canvas, look);
  canvas.rect(40, 34, 60, 34, hex('5a4a3f'));
  canvas.gradient(42, 36, 56, 30, [hex('e7b07a'), hex('b9735f'), hex('54617f')]);
  canvas.polygon(
    [
      [42, 66],
      [60, 48],
      [74, 60],
      [84, 52],
      [98, 66],
    ],
    hex('3c4a5e'),
  );
  canvas.rect(0, 107, 320, 4, hex('7d7064'));
  plant(canvas, 36, 128, 1.1);
  plant(canvas, 284, 128, 1.1);
  plant(canvas, 112, 116, 0.75);
  canvas.rect(228, 120, 54, 10, hex('5b6f86'));
  canvas.rect(226, 108, 58, 13, hex('6c839c'));
  canvas.rect(230, 130, 4, 6, hex('3a342f'));
  canvas.rect(276, 130, 4, 6, hex('3a342f'));
}

function doors(canvas: Canvas): void {
  canvas.rect(118, 26, 92, 84, hex('6d7379'));
  for (const x of [121, 144, 166, 189]) canvas.rect(x, 40, 19, 69, hex('a9cbe0'));
  canvas.rect(121, 29, 87, 8, hex('bcd6e4'));
  for (const x of [121, 144, 166, 189]) {
    canvas.rect(x, 92, 19, 17, hex('93a79a'));
    canvas.polygon(
      [
        [x, 80],
        [x + 9, 46],
        [x + 14, 46],
        [x + 5, 80],
      ],
      hex('ffffff'),
      0.16,
    );
  }
  canvas.rect(162, 68, 1.2, 16, hex('e4e2dc'));
  canvas.rect(186.6, 68, 1.2, 16, hex('e4e2dc'));
}

function desk(canvas: Canvas, look: Look): void {
  const front = look.variant === 0 ? hex('7a5a41') : hex('4f6470');
  canvas.ellipse(74, 143, 54, 4, [0, 0, 0], 0.22);
  canvas.polygon(
    [
      [24, 112],
      [124, 112],
      [118, 142],
      [30, 142],
    ],
    front,
  );
  for (let x = 32; x < 118; x += 8) canvas.rect(x, 114, 1, 27, shade(front, 0.82));
  canvas.rect(20, 108, 108, 5, hex('e6e0d6'));
  canvas.rect(50, 96, 16, 11, hex('23282e'));
  canvas.rect(57, 107, 2, 2, hex('23282e'));
  canvas.rect(92, 102, 10, 6, hex('c7544a'));
}

export const lobby: Scene = {
  indoor: true,
  paint,
  shine: (canvas, look) => {
    // Street behind the glass: bright by day, dark with reflections at night.
    const street = mix([0, 0, 0], hex('0c1526'), look.night);
    for (const x of [121, 144, 166, 189]) canvas.rect(x, 40, 19, 69, street, look.night * 0.82);
    canvas.rect(121, 29, 87, 8, street, look.night * 0.8);
    if (look.night > 0.4) {
      canvas.ellipse(150, 62, 2.4, 2.4, hex('ffd58a'), 0.9);
      canvas.ellipse(197, 58, 1.8, 1.8, hex('ffd58a'), 0.8);
    }
    canvas.rect(51.5, 97.5, 13, 8, hex('7fb4d9'));
    for (const x of LIGHTS) {
      canvas.line(x, 0, x, 12, 0.6, hex('55504a'));
      canvas.ellipse(x, 15, 16, 5, [1, 0.95, 0.8], 0.22);
      canvas.ellipse(x, 14, 8, 2.4, hex('fff6dc'));
    }
  },
  lamps: LIGHTS.map((x) => ({ x, y: 40, reach: 130, colour: [1, 0.92, 0.78], strength: 0.42 })),
  actors: [
    passage({
      sprites: ['clerk'],
      mirrored: ['clerkL'],
      y: 108,
      speed: 14,
      period: 40,
      offset: 2,
      day: 0.9,
      night: 0.8,
      steps: { count: 2, rate: 2 },
      stop: { x: 150, seconds: 5 },
      seed: 22,
    }),
    passage({
      sprites: ['guest'],
      mirrored: ['guestL'],
      y: 116,
      speed: 19,
      period: 40,
      offset: 19,
      day: 0.75,
      night: 0.7,
      steps: { count: 2, rate: 2 },
      seed: 25,
    }),
  ],
  sprites: {
    clerk0: person(hex('34507c'), 0, 1.45),
    clerk1: person(hex('34507c'), 1, 1.45),
    clerkL0: mirrored(person(hex('34507c'), 0, 1.45)),
    clerkL1: mirrored(person(hex('34507c'), 1, 1.45)),
    guest0: person(hex('b5534a'), 0, 1.6),
    guest1: person(hex('b5534a'), 1, 1.6),
    guestL0: mirrored(person(hex('6b8f5e'), 0, 1.6)),
    guestL1: mirrored(person(hex('6b8f5e'), 1, 1.6)),
  },
};
