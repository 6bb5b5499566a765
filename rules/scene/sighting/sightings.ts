// Tracks as sightings: from when to when each was in view, where it went, and in which frame it is seen best.
import type { ObjectClass } from '@vedette/contract/enumerations.ts';
import { type PathPoint, SIGHTING_LIMITS } from '@vedette/contract/site/site-sighting.ts';
import type { Box } from '../detection/detection.ts';
import type { Track } from '../tracking/track.ts';

export interface SceneSighting {
  readonly trackId: number;
  readonly objectClass: ObjectClass;
  readonly score: number;
  /** Capture times of the first, best and last frame, ms. */
  readonly fromMs: number;
  readonly bestMs: number;
  readonly untilMs: number;
  readonly path: readonly PathPoint[];
  /** Zones in which it was, by name. */
  readonly regions: readonly string[];
}

/** What a frame brought: tracks of which it is the best one so far, and sightings that are over. */
export interface SightingStep {
  readonly better: readonly Track[];
  readonly over: readonly SceneSighting[];
}

/** A track is told after so long, though it goes on. */
const PART_MS = 300_000;
const IDLE_MS = 10_000;
/** A frame must be so much better than the best one before to take its place. */
const BETTER = 1.2;
/** Of an object that is cut off by the border of the picture. */
const CUT_WEIGHT = 0.5;
const BORDER = 0.01;
/** Between two points of the path, until it has too many. */
const POINT_MS = 400;
const DIGITS = 1e4;

export class Sightings {
  readonly #open = new Map<number, OpenSighting>();

  /** `tracks`: all that live, also those that are not seen in this frame. `regionsOf`: names of the zones that a box stands in. */
  step(tracks: readonly Track[], regionsOf: (box: Box) => readonly string[]): SightingStep {
    const living = new Set(tracks.map(({ trackId }) => trackId));
    const over = this.#take((one) => !living.has(one.trackId));
    const better = tracks.filter((track) => this.#see(track, regionsOf));
    return { better, over: [...over, ...this.#take((one) => one.lastsMs >= PART_MS)] };
  }

  /** Those of which no frame came for a while end: what stands still keeps no decoder running. */
  endIdle(nowMs: number): readonly SceneSighting[] {
    return this.#take((one) => nowMs - one.seenMs >= IDLE_MS);
  }

  /** All that are open end. */
  end(): readonly SceneSighting[] {
    return this.#take(() => true);
  }

  /** True: this frame is the best one so far. */
  #see(track: Track, regionsOf: (box: Box) => readonly string[]): boolean {
    // What was there from the first and never moved is part of the place.
    if (!track.isConfirmed || !track.isSeen || track.isBackground) return false;
    const open = this.#open.get(track.trackId);
    if (open !== undefined) return open.see(track, regionsOf(track.box));
    // What stands still since it was told is told again when it moves.
    if (track.isStationary) return false;
    this.#open.set(track.trackId, new OpenSighting(track, regionsOf(track.box)));
    return true;
  }

  #take(isOver: (one: OpenSighting) => boolean): SceneSighting[] {
    const over = [...this.#open.values()].filter(isOver);
    for (const one of over) this.#open.delete(one.trackId);
    return over.map((one) => one.sighting());
  }
}

class OpenSighting {
  readonly trackId: number;
  readonly #objectClass: ObjectClass;
  readonly #fromMs: number;
  readonly #regions: Set<string>;
  #path: PathPoint[];
  #pointMs = POINT_MS;
  #last: Track;
  #best: { readonly atMs: number; readonly worth: number };

  constructor(track: Track, regions: readonly string[]) {
    this.trackId = track.trackId;
    this.#objectClass = track.objectClass;
    this.#fromMs = Math.floor(track.seenMs);
    this.#regions = new Set(regions);
    this.#last = track;
    this.#best = { atMs: this.#fromMs, worth: worthOf(track) };
    this.#path = [pointOf(track, this.#fromMs)];
  }

  get seenMs(): number {
    return this.#last.seenMs;
  }

  get lastsMs(): number {
    return this.#last.seenMs - this.#fromMs;
  }

  see(track: Track, regions: readonly string[]): boolean {
    for (const region of regions) this.#regions.add(region);
    this.#last = track;
    const atMs = Math.floor(track.seenMs);
    const [newest = 0] = this.#path.at(-1) ?? [];
    if (!track.isStationary && atMs - this.#fromMs - newest >= this.#pointMs) this.#add(pointOf(track, this.#fromMs));
    const worth = worthOf(track);
    if (worth < this.#best.worth * BETTER) return false;
    this.#best = { atMs, worth };
    return true;
  }

  sighting(): SceneSighting {
    const last = pointOf(this.#last, this.#fromMs);
    const [newest] = this.#path.at(-1) ?? [];
    return {
      trackId: this.trackId,
      objectClass: this.#objectClass,
      score: this.#last.medianScore,
      fromMs: this.#fromMs,
      bestMs: this.#best.atMs,
      untilMs: this.#fromMs + last[0],
      path: newest === last[0] ? this.#path : [...this.#path, last],
      regions: [...this.#regions].slice(0, SIGHTING_LIMITS.regions),
    };
  }

  /** Of too many points every other one goes, and further ones come half as often. */
  #add(point: PathPoint): void {
    this.#path.push(point);
    if (this.#path.length < SIGHTING_LIMITS.points - 1) return;
    this.#path = this.#path.filter((_, at) => at % 2 === 0);
    this.#pointMs *= 2;
  }
}

/** The larger, the surer and the more whole an object, the better it is recognised. */
function worthOf({ box, medianScore }: Track): number {
  const isCut = box.x < BORDER || box.y < BORDER || box.x + box.width > 1 - BORDER || box.y + box.height > 1 - BORDER;
  return Math.sqrt(box.width * box.height) * medianScore * (isCut ? CUT_WEIGHT : 1);
}

function pointOf({ box, seenMs }: Track, fromMs: number): PathPoint {
  const rounded = (share: number) => Math.min(1, Math.max(0, Math.round(share * DIGITS) / DIGITS));
  const afterMs = Math.max(0, Math.floor(seenMs) - fromMs);
  return [afterMs, rounded(box.x), rounded(box.y), rounded(box.width), rounded(box.height)];
}
