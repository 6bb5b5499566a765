// Day and night: how much light there is at a local time, and how it falls on a painted picture.

import type { Canvas, Colour } from './canvas.ts';
import { mix } from './canvas.ts';
import type { Lamp, Scene } from './scene.ts';

/** Night is told in this many steps, so that a background is painted again only a few times a day. */
export const LIGHT_STEPS = 6;

const DAY: Colour = [1, 1, 1];
const DUSK: Colour = [0.78, 0.58, 0.56];
const NIGHT: Colour = [0.2, 0.25, 0.4];
const INDOOR: Colour = [0.66, 0.67, 0.71];

const DAWN_HOURS = [6, 7.5] as const;
const DUSK_HOURS = [17.5, 19] as const;

/** 0 = day, LIGHT_STEPS = night; `localMs` is milliseconds since 1970 in the device's local time. */
export function nightStep(localMs: number): number {
  const hour = (localMs / 3_600_000) % 24;
  const light = Math.min(ramp(hour, DAWN_HOURS), 1 - ramp(hour, DUSK_HOURS));
  return Math.round((1 - light) * LIGHT_STEPS);
}

function ramp(hour: number, [from, to]: readonly [number, number]): number {
  return Math.min(1, Math.max(0, (hour - from) / (to - from)));
}

export function ambientOf(scene: Scene, night: number): Colour {
  if (scene.indoor) return INDOOR;
  return night < 0.5 ? mix(DAY, DUSK, night * 2) : mix(DUSK, NIGHT, night * 2 - 1);
}

/** Light at a point; lamps indoors burn day and night. */
export function lightAt(scene: Scene, night: number, x: number, y: number): Colour {
  const ambient = ambientOf(scene, night);
  const power = scene.indoor ? 1 : Math.max(0, night * 1.5 - 0.5);
  let [red, green, blue] = ambient;
  if (power > 0) {
    for (const lamp of scene.lamps) {
      const share = falloff(lamp, x, y) * power;
      red += lamp.colour[0] * share;
      green += lamp.colour[1] * share;
      blue += lamp.colour[2] * share;
    }
  }
  return [red, green, blue];
}

function falloff(lamp: Lamp, x: number, y: number): number {
  const dx = (x - lamp.x) / lamp.reach;
  // Lamps hang above what they light: their pool of light is wider than high.
  const dy = (y - lamp.y) / (lamp.reach * 0.8);
  const square = dx * dx + dy * dy;
  if (square >= 1) return 0;
  const left = 1 - square;
  return lamp.strength * left * left;
}

/** Multiplies a painted background with the light that falls on it; light is computed once per 4x4 pixels. */
export function illuminate(canvas: Canvas, scene: Scene, night: number): void {
  const size = 4;
  for (let y = canvas.top; y < canvas.bottom; y += size) {
    for (let x = 0; x < canvas.width; x += size) {
      const light = lightAt(scene, night, (x + size / 2) / canvas.scale, (y + size / 2) / canvas.scale);
      lightBlock(canvas, light, x, y, size);
    }
  }
}

function lightBlock(canvas: Canvas, light: Colour, x: number, y: number, size: number): void {
  const [red, green, blue] = light;
  const { pixels } = canvas;
  for (let row = y; row < Math.min(y + size, canvas.bottom); row++) {
    for (let column = x; column < Math.min(x + size, canvas.width); column++) {
      const at = ((row - canvas.top) * canvas.width + column) * 4;
      pixels[at] = (pixels[at] as number) * red;
      pixels[at + 1] = (pixels[at + 1] as number) * green;
      pixels[at + 2] = (pixels[at + 2] as number) * blue;
    }
  }
}
