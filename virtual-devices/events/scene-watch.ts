// Looks at what moves in a channel's scene and decides by its rules, as the analytics of a camera does.

import type { Motion } from '../device/channel-settings.ts';
import { LIGHT_STEPS, nightStep } from '../scene/lighting.ts';
import type { Look, Scene } from '../scene/scene.ts';
import type { EventSource, Happening } from './event-source.ts';
import { LINE_CROSSED, MOTION, OBJECTS_INSIDE } from './topic-catalogue.ts';

/** Shares of the picture, from the top left. */
export interface Point {
  readonly x: number;
  readonly y: number;
}

export interface SceneRules {
  /** Crossed from either side. */
  readonly line: readonly [Point, Point];
  /** At least three corners. */
  readonly field: readonly Point[];
}

export interface SceneWatchOptions {
  readonly channelNo: number;
  readonly scene: Scene;
  readonly variant: number;
  readonly utcOffset: (utcMs: number) => number;
  readonly motion: () => Motion;
  readonly source: EventSource;
}

/** The picture in units of the scene. */
const WIDTH = 320;
const HEIGHT = 180;
const COLUMNS = 22;
const ROWS = 18;
const LOOKS_APART_MS = 1000;
/** Motion is over after so long without. */
const CALM_MS = 2000;

export const defaultRules: SceneRules = {
  line: [
    { x: 0.5, y: 0 },
    { x: 0.5, y: 1 },
  ],
  field: [
    { x: 0.6, y: 0 },
    { x: 0.9, y: 0 },
    { x: 0.9, y: 1 },
    { x: 0.6, y: 1 },
  ],
};

export class SceneWatch {
  rules: SceneRules = defaultRules;
  private readonly options: SceneWatchOptions;
  /** Centres of the actors in sight at the last look. */
  private before = new Map<number, Point>();
  private lookedMs = -Infinity;
  private lastMotionMs = -Infinity;
  private isMoving = false;
  private isInside = false;

  constructor(options: SceneWatchOptions) {
    this.options = options;
    options.source.introduce(this.about(MOTION, 'motion'));
    options.source.introduce(this.about(OBJECTS_INSIDE, 'field'));
  }

  /** Call it several times a second, with the device's time. */
  look(utcMs: number): void {
    const seen = this.centres(utcMs);
    // Where nobody looked for a while, nobody knows the way taken.
    if (utcMs - this.lookedMs > LOOKS_APART_MS) this.before = new Map();
    this.lookedMs = utcMs;
    const moved = [...seen].flatMap(([index, at]) => {
      const from = this.before.get(index);
      const isMove = from !== undefined && Math.hypot(at.x - from.x, at.y - from.y) > 1e-4;
      return isMove ? [{ index, from, at }] : [];
    });
    this.decideMotion(
      utcMs,
      moved.some(({ at }) => this.isWatched(at)),
    );
    for (const { index, from, at } of moved) this.decideLine(index, from, at);
    this.decideField([...seen.values()].some((at) => isWithin(at, this.rules.field)));
    this.before = seen;
  }

  private centres(utcMs: number): Map<number, Point> {
    const { scene, variant, utcOffset } = this.options;
    const localMs = utcMs + utcOffset(utcMs);
    const look: Look = { night: scene.indoor ? 0 : nightStep(localMs) / LIGHT_STEPS, variant };
    const seen = new Map<number, Point>();
    for (const [index, actor] of scene.actors.entries()) {
      const placement = actor.place(localMs, look);
      const sprite = placement === null ? undefined : scene.sprites[placement.sprite];
      if (placement === null || sprite === undefined) continue;
      const at = { x: (placement.x + sprite.width / 2) / WIDTH, y: (placement.y + sprite.height / 2) / HEIGHT };
      if (at.x >= 0 && at.x <= 1 && at.y >= 0 && at.y <= 1) seen.set(index, at);
    }
    return seen;
  }

  private isWatched({ x, y }: Point): boolean {
    const { isOn, cells } = this.options.motion();
    const column = Math.min(COLUMNS - 1, Math.floor(x * COLUMNS));
    const row = Math.min(ROWS - 1, Math.floor(y * ROWS));
    return isOn && cells[row * COLUMNS + column] === '1';
  }

  private decideMotion(utcMs: number, isSeen: boolean): void {
    if (isSeen) this.lastMotionMs = utcMs;
    const isMoving = isSeen || (this.isMoving && utcMs - this.lastMotionMs < CALM_MS);
    if (isMoving !== this.isMoving) this.tell(this.about(MOTION, 'motion'), isMoving);
    this.isMoving = isMoving;
  }

  private decideLine(index: number, from: Point, at: Point): void {
    const [a, b] = this.rules.line;
    if (!doCross(a, b, from, at)) return;
    const data = { ObjectId: String(index), Direction: sideOf(a, b, at) > 0 ? 'LeftToRight' : 'RightToLeft' };
    this.options.source.raise({ ...this.about(LINE_CROSSED, 'line'), data });
  }

  private decideField(isInside: boolean): void {
    if (isInside !== this.isInside) this.tell(this.about(OBJECTS_INSIDE, 'field'), isInside);
    this.isInside = isInside;
  }

  private about(topic: Happening['topic'], key: string): Happening {
    return { topic, channelNo: this.options.channelNo, key };
  }

  private tell(happening: Happening, isOn: boolean): void {
    if (isOn) this.options.source.raise(happening);
    else this.options.source.clear(happening);
  }
}

function sideOf(a: Point, b: Point, p: Point): number {
  return (b.x - a.x) * (p.y - a.y) - (b.y - a.y) * (p.x - a.x);
}

function doCross(a: Point, b: Point, c: Point, d: Point): boolean {
  return sideOf(a, b, c) > 0 !== sideOf(a, b, d) > 0 && sideOf(c, d, a) > 0 !== sideOf(c, d, b) > 0;
}

/** By the even-odd rule. */
function isWithin({ x, y }: Point, corners: readonly Point[]): boolean {
  let isInside = false;
  for (const [index, a] of corners.entries()) {
    const b = corners[(index + 1) % corners.length] as Point;
    if (a.y > y !== b.y > y && x < ((b.x - a.x) * (y - a.y)) / (b.y - a.y) + a.x) isInside = !isInside;
  }
  return isInside;
}
