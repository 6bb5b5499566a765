// Scene "dock": quay, stacked containers, a crane, water with boats.

import { passage } from '../painting/actors.ts';
import { type Canvas, type Colour, hex, shade } from '../painting/canvas.ts';
import { chance, type Look, type Scene } from '../painting/scene.ts';
import { bird, boat, mirrored, van } from '../painting/sprites.ts';
import { lampHead, lampOf, lampPost, nightSky, sky, treeline } from './props.ts';

const PAINTS: readonly Colour[] = ['b5483d', '3b6c93', 'd09a3c', '5f8a66', '8b8f94', '7a4f6d'].map(hex);
const POSTS = [110, 252] as const;

function paint(canvas: Canvas, look: Look): void {
  sky(canvas, 84, look);
  treeline(canvas, 84, 9, hex('7f9aa2'), 61);
  canvas.gradient(0, 82, 320, 46, [hex('6f9aae'), hex('4a7a92'), hex('3f6d86')]);
  for (let i = 0; i < 22; i++) {
    const y = 86 + chance(71, i) * 38;
    canvas.rect(chance(73, i) * 310, y, 8 + chance(75, i) * 16, 0.8, hex('a9c8d3'), 0.55);
  }
  crane(canvas);
  canvas.rect(0, 126, 320, 7, hex('7d7a74'));
  canvas.rect(0, 126, 320, 1.6, hex('a5a199'));
  for (let x = 14; x < 320; x += 44) {
    canvas.rect(x, 121, 5, 6, hex('3c4046'));
    canvas.ellipse(x + 2.5, 121, 4, 1.4, hex('4a4f56'));
  }
  canvas.gradient(0, 133, 320, 47, [hex('96938c'), hex('85827b')]);
  canvas.rect(0, 136, 320, 1.6, hex('e0bd3f'));
  stack(canvas, 0, 3, look, 0);
  stack(canvas, 206, 3, look, 9);
  for (const x of POSTS) lampPost(canvas, x, 134, 62);
}

function stack(canvas: Canvas, x: number, levels: number, look: Look, seed: number): void {
  const count = 2;
  for (let level = 0; level < levels; level++) {
    for (let i = 0; i < (level === 2 ? 1 : count); i++) {
      const index = chance(81 + seed + look.variant, level * 3 + i);
      container(
        canvas,
        x + i * 58 + (level === 1 ? 2 : 0),
        159 - level * 21,
        PAINTS[Math.floor(index * PAINTS.length)] as Colour,
      );
    }
  }
}

function container(canvas: Canvas, x: number, y: number, colour: Colour): void {
  canvas.rect(x, y, 56, 20, colour);
  for (let rib = 3; rib < 56; rib += 5) canvas.rect(x + rib, y + 2, 1.6, 16, shade(colour, 0.84));
  canvas.rect(x, y, 56, 1.6, shade(colour, 1.12));
  canvas.rect(x, y + 18.4, 56, 1.6, shade(colour, 0.6));
}

function crane(canvas: Canvas): void {
  const steel = hex('c9603c');
  canvas.line(150, 126, 160, 34, 3.4, steel);
  canvas.line(186, 126, 176, 34, 3.4, steel);
  canvas.line(152, 104, 184, 104, 2, shade(steel, 0.85));
  canvas.line(156, 72, 180, 72, 2, shade(steel, 0.85));
  canvas.line(154, 104, 181, 72, 1.3, shade(steel, 0.85));
  canvas.rect(86, 32, 172, 4, steel);
  canvas.line(168, 14, 92, 32, 1.2, shade(steel, 0.8));
  canvas.line(168, 14, 252, 32, 1.2, shade(steel, 0.8));
  canvas.line(168, 14, 168, 34, 2.6, steel);
  canvas.rect(160, 36, 16, 9, hex('e6e2d8'));
  canvas.rect(162, 38, 12, 4, hex('7ea6b8'));
  canvas.line(112, 36, 112, 70, 0.7, hex('3c4046'));
  canvas.rect(104, 70, 16, 2, hex('3c4046'));
}

export const dock: Scene = {
  indoor: false,
  paint,
  shine: (canvas, look) => {
    nightSky(canvas, 30, look);
    for (const x of POSTS) lampHead(canvas, x, 134, 62, look);
    if (look.night < 0.4) return;
    canvas.rect(162, 38, 12, 4, hex('ffe2a0'));
    for (let i = 0; i < 12; i++) canvas.rect(8 + i * 27, 81 - (i % 3), 1.4, 1.2, hex('ffd58a'));
    for (let i = 0; i < 12; i++) canvas.rect(8 + i * 27, 86, 1, 7, hex('ffd58a'), 0.18);
  },
  lamps: [
    ...POSTS.map((x) => lampOf(x, 162, 62, 115)),
    { x: 168, y: 44, reach: 34, colour: [1, 0.85, 0.6], strength: 0.35 },
  ],
  actors: [
    passage({
      sprites: ['boat'],
      mirrored: ['boatL'],
      y: 88,
      speed: 9,
      period: 60,
      offset: 2,
      day: 0.8,
      night: 0.5,
      from: -90,
      seed: 55,
    }),
    passage({
      sprites: ['van'],
      mirrored: ['vanL'],
      y: 143,
      speed: 34,
      period: 40,
      offset: 11,
      day: 0.7,
      night: 0.3,
      seed: 51,
    }),
    passage({
      sprites: ['bird'],
      y: 34,
      speed: 22,
      period: 30,
      offset: 6,
      day: 0.8,
      night: 0,
      steps: { count: 2, rate: 3 },
      seed: 58,
    }),
  ],
  sprites: {
    boat: boat(hex('33566f')),
    boatL: mirrored(boat(hex('33566f'))),
    van: van(hex('d9d6cd')),
    vanL: mirrored(van(hex('d9d6cd'))),
    bird0: bird(true),
    bird1: bird(false),
  },
};
