// How actors move: traffic that passes now and then, people who walk, and parts that turn or blink, all from the time alone.

import { type Actor, chance, type Look, type Placement } from './scene.ts';

export interface Passage {
  /** Names of sprites of which one is taken at random per passage; each faces right. */
  readonly sprites: readonly string[];
  /** Sprites that face left, in the same order; without them nobody comes from the right. */
  readonly mirrored?: readonly string[];
  readonly y: number;
  /** Units per second. */
  readonly speed: number;
  /** Seconds from one possible passage to the next. */
  readonly period: number;
  readonly offset: number;
  /** Share of the possible passages that happen by day and at night. */
  readonly day: number;
  readonly night: number;
  readonly from?: number;
  readonly to?: number;
  /** Seconds and place of a stop on the way. */
  readonly stop?: { readonly x: number; readonly seconds: number };
  /** Names get the number of the step appended (`person0`, `person1` …), this many per second. */
  readonly steps?: { readonly count: number; readonly rate: number };
  readonly seed: number;
}

/** Something that crosses the picture. */
export function passage(options: Passage): Actor {
  const { from = -70, to = 330 } = options;
  return {
    place: (timeMs, look) => {
      const seconds = timeMs / 1000 - options.offset;
      const index = Math.floor(seconds / options.period);
      if (chance(options.seed + look.variant * 977, index % 1440) >= (look.night > 0.5 ? options.night : options.day))
        return null;
      const since = seconds - index * options.period;
      const mirrored = options.mirrored !== undefined && chance(options.seed + 1, index % 1440) < 0.5;
      const way = travelled(since, options, mirrored ? to : from, mirrored);
      if (way > to - from) return null;
      const names = mirrored ? (options.mirrored ?? []) : options.sprites;
      const name = names[Math.floor(chance(options.seed + 2, index % 1440) * names.length)] ?? '';
      const step =
        options.steps === undefined ? '' : String(Math.floor(since * options.steps.rate) % options.steps.count);
      return { sprite: name + step, x: mirrored ? to - way : from + way, y: options.y };
    },
  };
}

function travelled(since: number, options: Passage, start: number, mirrored: boolean): number {
  if (options.stop === undefined) return since * options.speed;
  const untilStop = mirrored ? start - options.stop.x : options.stop.x - start;
  const arrival = untilStop / options.speed;
  if (since < arrival) return since * options.speed;
  return untilStop + Math.max(0, since - arrival - options.stop.seconds) * options.speed;
}

/** A part that shows its states in turn, each for `holdMs`. */
export function cycle(sprites: readonly string[], holdMs: number, x: number, y: number): Actor {
  return {
    place: (timeMs): Placement => ({
      sprite: sprites[Math.floor(timeMs / holdMs) % sprites.length] as string,
      x,
      y,
    }),
  };
}

/** A light that follows a pattern of four steps of `holdMs`: few patterns let coded pictures be used again. */
export function blink(sprite: string, holdMs: number, x: number, y: number, seed: number): Actor {
  const isLit = [0, 1, 2, 3].map((step) => chance(seed, step) < 0.5);
  return {
    place: (timeMs) => (isLit[Math.floor(timeMs / holdMs) % 4] === true ? { sprite, x, y } : null),
  };
}

/** Something that is there only while `when` says so. */
export function during(actor: Actor, when: (look: Look) => boolean): Actor {
  return { place: (timeMs, look) => (when(look) ? actor.place(timeMs, look) : null) };
}
