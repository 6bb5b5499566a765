// What a camera looks at: a painted background, lamps, and actors whose places are a pure function of time.

import type { Canvas, Colour } from './canvas.ts';

export interface Lamp {
  readonly x: number;
  readonly y: number;
  /** Distance in units at which the light has faded to nothing. */
  readonly reach: number;
  readonly colour: Colour;
  readonly strength: number;
}

/** What painters may vary with. */
export interface Look {
  /** 0 = full day, 1 = full night. */
  readonly night: number;
  /** Two cameras of the same scene differ by it. */
  readonly variant: number;
}

export interface Sprite {
  /** Size in units. */
  readonly width: number;
  readonly height: number;
  paint(canvas: Canvas): void;
  /** Things that shine by themselves are not darkened at night. */
  readonly shines?: boolean;
}

export interface Placement {
  readonly sprite: string;
  readonly x: number;
  readonly y: number;
}

export interface Actor {
  /** Null while the actor is out of the picture. Same time, same answer, for live pictures and for recordings of any past day. */
  place(timeMs: number, look: Look): Placement | null;
}

export interface Scene {
  readonly indoor: boolean;
  /** Matte colours as in daylight. */
  paint(canvas: Canvas, look: Look): void;
  /** Painted after the light: lamps, lit windows, screens. */
  shine?(canvas: Canvas, look: Look): void;
  readonly lamps: readonly Lamp[];
  readonly actors: readonly Actor[];
  readonly sprites: Readonly<Record<string, Sprite>>;
}

/** A repeatable number from 0 to 1 for any two integers. */
export function chance(seed: number, index: number): number {
  let value = Math.imul(seed ^ 0x9e3779b9, 0x85ebca6b) ^ Math.imul(index + 0x7f4a7c15, 0xc2b2ae35);
  value = Math.imul(value ^ (value >>> 15), 0x27d4eb2f);
  return ((value ^ (value >>> 13)) >>> 0) / 0x1_0000_0000;
}
