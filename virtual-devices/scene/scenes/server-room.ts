// Scene "server room": two rows of racks with lights that blink, a cooled aisle, now and then somebody who looks after them.

import { blink, passage } from '../painting/actors.ts';
import { type Canvas, hex, shade } from '../painting/canvas.ts';
import { chance, type Look, type Scene } from '../painting/scene.ts';
import { mirrored, patch, person } from '../painting/sprites.ts';
import { floorGrid } from './props.ts';

const RACKS = [8, 58, 108, 178, 228, 278] as const;
const UNITS = 9;

function paint(canvas: Canvas, _look: Look): void {
  canvas.gradient(0, 0, 320, 28, [hex('3f4a57'), hex('5b6876')]);
  for (let x = 0; x < 320; x += 40) canvas.rect(x, 0, 1, 28, hex('36404c'));
  canvas.gradient(0, 28, 320, 102, [hex('66737f'), hex('56626e')]);
  canvas.gradient(0, 128, 320, 52, [hex('8e979d'), hex('a9b1b5')]);
  floorGrid(canvas, 128, 160, hex('78828a'), 0.55);
  canvas.rect(0, 22, 320, 5, hex('c9a23c'));
  for (let x = 4; x < 320; x += 12) canvas.rect(x, 22, 1, 5, hex('a07f2b'));
  canvas.rect(154, 44, 18, 86, hex('7d8892'));
  canvas.rect(156, 46, 14, 82, hex('95a0a9'));
  canvas.rect(167, 86, 1.6, 8, hex('444d56'));
  for (const x of RACKS) rack(canvas, x);
}

function rack(canvas: Canvas, x: number): void {
  canvas.polygon(
    [
      [x - 2, 138],
      [x + 46, 138],
      [x + 42, 134],
      [x, 134],
    ],
    [0, 0, 0],
    0.3,
  );
  canvas.rect(x - 1, 32, 44, 104, hex('22272d'));
  canvas.rect(x + 1, 34, 40, 100, hex('2d343b'));
  for (let unit = 0; unit < UNITS; unit++) {
    const y = 37 + unit * 10.6;
    const kind = chance(x, unit);
    const face = kind < 0.3 ? hex('4b5661') : kind < 0.7 ? hex('3d4650') : hex('59646f');
    canvas.rect(x + 3, y, 36, 9, face);
    canvas.rect(x + 3, y, 36, 0.8, shade(face, 1.25));
    if (kind < 0.55)
      for (let slot = 0; slot < 6; slot++) canvas.rect(x + 16 + slot * 3.6, y + 2, 2.4, 5, shade(face, 0.62));
    else canvas.rect(x + 16, y + 3, 20, 3, shade(face, 0.7));
  }
}

const lights = RACKS.flatMap((x, rackIndex) =>
  [0, 3, 6].map((unit, i) => {
    const kind = chance(rackIndex + 101, unit);
    return blink(
      kind < 0.6 ? 'green' : kind < 0.9 ? 'blue' : 'amber',
      500 * 2 ** ((rackIndex + i) % 3),
      x + 6,
      40 + unit * 10.6,
      rackIndex * 31 + unit,
    );
  }),
);

export const serverRoom: Scene = {
  indoor: true,
  paint,
  shine: (canvas) => {
    for (const x of [60, 160, 260]) {
      canvas.rect(x - 24, 6, 48, 4, hex('f2faff'));
      canvas.ellipse(x, 9, 34, 6, [0.85, 0.95, 1], 0.14);
    }
    for (const [index, x] of RACKS.entries()) {
      for (let unit = 0; unit < UNITS; unit++) {
        canvas.rect(
          x + 10.5,
          40 + unit * 10.6,
          1.8,
          1.8,
          chance(index + 7, unit) < 0.8 ? hex('3fd07c') : hex('4aa8ff'),
        );
      }
    }
  },
  lamps: [60, 160, 260].map((x) => ({ x, y: 60, reach: 130, colour: [0.8, 0.93, 1] as const, strength: 0.36 })),
  actors: [
    ...lights,
    passage({
      sprites: ['tech'],
      mirrored: ['techL'],
      y: 118,
      speed: 12,
      period: 60,
      offset: 5,
      day: 0.7,
      night: 0.4,
      steps: { count: 2, rate: 2 },
      stop: { x: 190, seconds: 9 },
      seed: 66,
    }),
  ],
  sprites: {
    green: patch(2, 2, hex('59f29a')),
    blue: patch(2, 2, hex('69c0ff')),
    amber: patch(2, 2, hex('ffb648')),
    tech0: person(hex('5a7d9c'), 0, 1.55),
    tech1: person(hex('5a7d9c'), 1, 1.55),
    techL0: mirrored(person(hex('5a7d9c'), 0, 1.55)),
    techL1: mirrored(person(hex('5a7d9c'), 1, 1.55)),
  },
};
