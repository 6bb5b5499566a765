// Tells an object that moves from one whose box only jitters, grows at one side or is hidden in part.
import type { Box } from '../detection/detection.ts';

/** Shares of the object's size by which it must have moved: in two frames one after the other, or in one. */
const SLIGHTLY = 0.2;
const CLEARLY = 0.5;
/** What comes nearer grows in width and height; it moves less than it grows. */
const OF_GROWTH = 1 / 1.5;

/** Where an object stood. */
export class RestingPlace {
  readonly #box: Box;
  #framesAway = 0;

  constructor(box: Box) {
    this.#box = box;
  }

  /** Whether the object has left the place, now that it is seen at `box`. `aspect`: width over height of the frame. */
  isLeft(box: Box, aspect: number): boolean {
    const moved = movement(this.#box, box, aspect);
    this.#framesAway = moved < SLIGHTLY ? 0 : this.#framesAway + 1;
    return moved >= CLEARLY || this.#framesAway >= 2;
  }
}

/** How far a box moved, as a share of its larger side. A side that moves alone is no movement: something hides the object. */
function movement(from: Box, to: Box, aspect: number): number {
  const across = common(to.x - from.x, to.x + to.width - from.x - from.width) * aspect;
  const down = common(to.y - from.y, to.y + to.height - from.y - from.height);
  const size = Math.max(from.width * aspect, from.height);
  const [wider, higher] = [to.width / from.width, to.height / from.height];
  const growth = Math.max(Math.min(wider, higher), Math.min(1 / wider, 1 / higher)) - 1;
  return Math.max(Math.hypot(across, down) / size, growth * OF_GROWTH);
}

/** What two opposite sides moved in the same direction. */
function common(one: number, other: number): number {
  return one * other > 0 ? Math.min(Math.abs(one), Math.abs(other)) : 0;
}
