// Scene "street": shop fronts under awnings, a pavement with people, cars both ways.

import { passage } from '../painting/actors.ts';
import { type Canvas, type Colour, hex, mix, shade } from '../painting/canvas.ts';
import type { Look, Scene } from '../painting/scene.ts';
import { car, mirrored, person, van } from '../painting/sprites.ts';
import { lampHead, lampOf, lampPost, litWindows, nightSky, sky, drawWindows } from './props.ts';

interface House {
  readonly x: number;
  readonly width: number;
  readonly top: number;
  readonly colour: Colour;
  readonly awning: Colour;
}

const HOUSES: readonly House[] = [
  { x: 0, width: 70, top: 26, colour: hex('c98d6b'), awning: hex('2f6f6a') },
  { x: 70, width: 86, top: 14, colour: hex('d9c7a3'), awning: hex('b3413a') },
  { x: 156, width: 72, top: 34, colour: hex('9fb0ad'), awning: hex('3f5f95') },
  { x: 228, width: 92, top: 20, colour: hex('b97f78'), awning: hex('c98a2d') },
];
const POSTS = [58, 216] as const;

function facadeOf(house: House) {
  const columns = Math.floor((house.width - 8) / 17);
  const rows = Math.floor((74 - house.top - 8) / 17);
  return {
    x: house.x + (house.width - columns * 17 + 7) / 2,
    y: house.top + 9,
    columns,
    rows,
    width: 10,
    height: 11,
    stepX: 17,
    stepY: 17,
  };
}

function paint(canvas: Canvas, look: Look): void {
  sky(canvas, 60, look);
  for (const house of HOUSES) front(canvas, house);
  canvas.gradient(0, 114, 320, 16, [hex('b9b4aa'), hex('a8a399')]);
  for (let x = 0; x < 320; x += 20) canvas.rect(x, 114, 0.8, 16, hex('989388'));
  canvas.rect(0, 129, 320, 3, hex('d2cec4'));
  canvas.gradient(0, 132, 320, 48, [hex('666a70'), hex('575b61')]);
  for (let x = 10; x < 320; x += 40) canvas.rect(x, 154, 20, 1.6, hex('ded9c8'));
  for (const x of POSTS) lampPost(canvas, x, 128, 58);
  for (const x of [120, 290]) {
    canvas.rect(x - 7, 122, 14, 7, hex('7c6a55'));
    canvas.ellipse(x, 120, 9, 6, hex('5b8a52'));
    canvas.ellipse(x - 3, 117.5, 5, 4, hex('75a565'));
  }
}

function front(canvas: Canvas, house: House): void {
  const { x, width, top, colour } = house;
  canvas.rect(x, top, width, 114 - top, colour);
  canvas.rect(x - 1, top - 3, width + 2, 4, shade(colour, 0.7));
  canvas.rect(x + width - 2, top, 2, 114 - top, shade(colour, 0.82));
  drawWindows(canvas, facadeOf(house), hex('7e9aab'));
  canvas.rect(x + 5, 86, width - 28, 24, hex('8fb3c4'));
  canvas.rect(x + 5, 108, width - 28, 6, shade(colour, 0.6));
  canvas.rect(x + width - 19, 84, 13, 30, hex('5d4536'));
  canvas.rect(x + width - 17, 87, 9, 14, hex('9dbccb'));
  for (let stripe = 0; stripe * 6 < width - 6; stripe++) {
    const left = x + 3 + stripe * 6;
    canvas.polygon(
      [
        [left, 75],
        [left + 6, 75],
        [left + 6.6, 84],
        [left + 0.4, 84],
      ],
      stripe % 2 === 0 ? house.awning : hex('efe9dd'),
    );
  }
  canvas.rect(x + 3, 72.5, width - 6, 2.6, shade(house.awning, 0.75));
}

export const street: Scene = {
  indoor: false,
  paint,
  shine: (canvas, look) => {
    nightSky(canvas, 12, look);
    for (const [index, house] of HOUSES.entries()) {
      litWindows(canvas, facadeOf(house), look, 40 + index);
      if (look.night < 0.35) continue;
      canvas.rect(house.x + 5, 86, house.width - 28, 22, mix(hex('ffd88c'), hex('f6ecd0'), index / 4));
      for (let at = house.x + 10; at < house.x + house.width - 28; at += 11)
        canvas.rect(at, 97, 6, 11, hex('8a5f3c'), 0.6);
    }
    for (const x of POSTS) lampHead(canvas, x, 128, 58, look);
  },
  lamps: [
    ...POSTS.map((x) => lampOf(x, 165, 58, 110)),
    ...HOUSES.map((house) => ({
      x: house.x + house.width / 2 - 8,
      y: 116,
      reach: 46,
      colour: [1, 0.84, 0.55] as const,
      strength: 0.55,
    })),
  ],
  actors: [
    passage({
      sprites: ['walker'],
      mirrored: ['walkerL'],
      y: 97,
      speed: 13,
      period: 30,
      offset: 1,
      day: 0.9,
      night: 0.5,
      steps: { count: 2, rate: 2 },
      seed: 44,
    }),
    passage({
      sprites: ['blue', 'black', 'van'],
      y: 145,
      speed: 58,
      period: 20,
      offset: 5,
      day: 0.8,
      night: 0.4,
      seed: 41,
    }),
    passage({
      sprites: [],
      mirrored: ['taxiL', 'blackL'],
      y: 136,
      speed: 52,
      period: 30,
      offset: 14,
      day: 0.8,
      night: 0.45,
      seed: 1,
    }),
  ],
  sprites: {
    blue: car(hex('3f6ea3')),
    black: car(hex('33383f')),
    blackL: mirrored(car(hex('33383f'))),
    taxiL: mirrored(car(hex('e0b036'))),
    van: van(hex('6f8f72')),
    walker0: person(hex('a34a55'), 0),
    walker1: person(hex('a34a55'), 1),
    walkerL0: mirrored(person(hex('4a6a8f'), 0)),
    walkerL1: mirrored(person(hex('4a6a8f'), 1)),
  },
};
