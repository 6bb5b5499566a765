// Scene "roof": air-conditioning units with turning fans, a parapet, the skyline of the town, birds.

import { cycle, during, passage } from '../painting/actors.ts';
import { type Canvas, hex, mix, shade } from '../painting/canvas.ts';
import { chance, type Look, type Scene, type Sprite } from '../painting/scene.ts';
import { bird, mirrored, patch, person } from '../painting/sprites.ts';
import { litWindows, nightSky, sky } from './props.ts';

const UNITS = [24, 84, 214] as const;

function towers() {
  return Array.from({ length: 11 }, (_, i) => {
    const width = 20 + Math.floor(chance(3, i) * 3) * 6;
    const height = 22 + chance(5, i) * 46;
    return { x: i * 30 - 6, width, top: 100 - height, tone: chance(7, i) };
  });
}

function facadeOf(tower: { x: number; width: number; top: number }) {
  const columns = Math.floor((tower.width - 3) / 6);
  return {
    x: tower.x + 3,
    y: tower.top + 4,
    columns,
    rows: Math.floor((98 - tower.top) / 7),
    width: 3,
    height: 3.4,
    stepX: 6,
    stepY: 7,
  };
}

function paint(canvas: Canvas, look: Look): void {
  sky(canvas, 104, look);
  for (const tower of towers()) {
    const colour = mix(hex('8fa5b5'), hex('b3bfc4'), tower.tone);
    canvas.rect(tower.x, tower.top, tower.width, 104 - tower.top, colour);
    canvas.rect(tower.x + tower.width - 3, tower.top, 3, 104 - tower.top, shade(colour, 0.86));
    const facade = facadeOf(tower);
    for (let row = 0; row < facade.rows; row++)
      canvas.rect(facade.x, facade.y + row * 7, facade.columns * 6 - 3, 3.4, shade(colour, 0.78));
  }
  canvas.rect(0, 100, 320, 12, hex('a39d93'));
  canvas.rect(0, 98, 320, 3.4, hex('c3bdb2'));
  canvas.rect(0, 110, 320, 3, hex('7f7a71'));
  canvas.gradient(0, 113, 320, 67, [hex('8b8d8c'), hex('777a7b')]);
  for (let x = -60; x < 380; x += 44) canvas.line(160 + (x - 160) * 0.6, 113, x, 180, 0.6, hex('6c6f70'));
  canvas.rect(0, 146, 320, 0.8, hex('6c6f70'));
  for (const x of UNITS) unit(canvas, x);
  canvas.rect(146, 96, 44, 40, hex('b9b4a9'));
  canvas.rect(142, 92, 52, 5, hex('8a857b'));
  canvas.rect(154, 106, 14, 30, hex('5d7181'));
  canvas.rect(164, 120, 1.4, 4, hex('dcdad3'));
  canvas.line(290, 112, 290, 50, 1.8, hex('5f666d'));
  for (const y of [58, 68, 78]) canvas.line(280, y, 300, y, 1.1, hex('5f666d'));
  canvas.ellipse(262, 108, 9, 9, hex('d9d9d4'));
  canvas.ellipse(260, 107, 7.4, 7.6, hex('bfc0bc'));
}

function unit(canvas: Canvas, x: number): void {
  canvas.ellipse(x + 23, 158, 27, 2.6, [0, 0, 0], 0.25);
  canvas.rect(x, 122, 46, 35, hex('c8cccd'));
  canvas.rect(x, 122, 46, 3, hex('dfe2e2'));
  canvas.rect(x + 40, 125, 6, 32, hex('a5aaac'));
  canvas.ellipse(x + 20, 141, 14, 14, hex('6d7478'));
  canvas.ellipse(x + 20, 141, 12.6, 12.6, hex('3d4448'));
}

function fan(turn: number): Sprite {
  return {
    width: 24,
    height: 24,
    paint: (canvas) => {
      for (let blade = 0; blade < 4; blade++) {
        const angle = ((blade + turn / 3) * Math.PI) / 2;
        canvas.line(12, 12, 12 + Math.cos(angle) * 10.5, 12 + Math.sin(angle) * 10.5, 3.6, hex('8d9599'));
      }
      canvas.ellipse(12, 12, 2.6, 2.6, hex('c9cdce'));
    },
  };
}

export const roof: Scene = {
  indoor: false,
  paint,
  shine: (canvas, look) => {
    nightSky(canvas, 46, look);
    for (const [index, tower] of towers().entries()) litWindows(canvas, facadeOf(tower), look, 80 + index);
    if (look.night > 0.4) {
      canvas.rect(157, 98, 8, 3, hex('fff0c4'));
      canvas.ellipse(161, 100, 8, 5, [1, 0.9, 0.6], 0.25);
    }
  },
  lamps: [{ x: 161, y: 128, reach: 110, colour: [1, 0.85, 0.58], strength: 0.75 }],
  actors: [
    ...UNITS.map((x, index) => cycle(['fan0', 'fan1', 'fan2'], 200 + index * 50, x + 8, 129)),
    during(cycle(['beacon', 'none'], 1000, 289, 47), (look) => look.night > 0.4),
    passage({
      sprites: ['bird'],
      y: 28,
      speed: 24,
      period: 30,
      offset: 4,
      day: 0.8,
      night: 0,
      steps: { count: 2, rate: 3 },
      seed: 77,
    }),
    passage({
      sprites: [],
      mirrored: ['birdL'],
      y: 44,
      speed: 18,
      period: 40,
      offset: 13,
      day: 0.7,
      night: 0,
      steps: { count: 2, rate: 3 },
      seed: 2,
    }),
    passage({
      sprites: ['worker'],
      mirrored: ['workerL'],
      y: 130,
      speed: 13,
      period: 120,
      offset: 40,
      day: 0.7,
      night: 0,
      steps: { count: 2, rate: 2 },
      stop: { x: 100, seconds: 12 },
      seed: 79,
    }),
  ],
  sprites: {
    fan0: fan(0),
    fan1: fan(1),
    fan2: fan(2),
    beacon: patch(3, 3, hex('ff5a4d')),
    bird0: bird(true),
    bird1: bird(false),
    birdL0: mirrored(bird(true)),
    birdL1: mirrored(bird(false)),
    worker0: person(hex('d98a2b'), 0, 1.2),
    worker1: person(hex('d98a2b'), 1, 1.2),
    workerL0: mirrored(person(hex('d98a2b'), 0, 1.2)),
    workerL1: mirrored(person(hex('d98a2b'), 1, 1.2)),
  },
};
