// One object over several frames: where it is, how fast it moves, how sure the detector was, and whether it stands still.
import type { ObjectClass } from '@vedette/contract/enumerations.ts';
import type { Box, Detection } from '../detection/detection.ts';
import { RestingPlace } from './resting-place.ts';

export interface Track {
  /** Unique as long as its tracker lives. */
  readonly trackId: number;
  readonly objectClass: ObjectClass;
  /** Where it was seen last. */
  readonly box: Box;
  /** Of the last frames in which it was seen, 0 to 1. */
  readonly medianScore: number;
  /** Seen twice: no ghost of a single frame. */
  readonly isConfirmed: boolean;
  /** Capture time of the first frame and of the last one in which it was seen, ms. */
  readonly sinceMs: number;
  readonly seenMs: number;
  /** In the newest frame. */
  readonly isSeen: boolean;
  /** It has left the place at which it was seen first. */
  readonly hasMoved: boolean;
  /** Since when it has not moved, ms. */
  readonly restsSinceMs: number;
  readonly isStationary: boolean;
  /** It was there when its tracker began, and has not moved since. */
  readonly isBackground: boolean;
}

export interface TrackMoment {
  readonly atMs: number;
  /** Width over height of the frame. */
  readonly aspect: number;
}

const STATIONARY_AFTER_MS = 5000;
const CONFIRMED_HITS = 2;
/** Of which the median is taken. */
const SCORES = 15;
/** Capture times further apart say nothing about what happened between: an object is not expected to have gone on. */
const FORESEEN_S = 3;

export class FollowedTrack implements Track {
  readonly trackId: number;
  readonly objectClass: ObjectClass;
  readonly sinceMs: number;
  box: Box;
  medianScore: number;
  seenMs: number;
  hits = 1;
  isSeen = true;
  hasMoved = false;
  restsSinceMs: number;
  /** Time in which frames came and it was in none, ms. */
  missedMs = 0;
  readonly #isOfStart: boolean;
  readonly #scores: number[];
  readonly #birthplace: RestingPlace;
  #restingPlace: RestingPlace;
  /** Of the centre, in shares of the frame a second. */
  #velocity = { x: 0, y: 0 };

  constructor(trackId: number, { objectClass, box, score }: Detection, { atMs, isOfStart }: TrackBirth) {
    this.trackId = trackId;
    this.objectClass = objectClass;
    this.box = box;
    this.medianScore = score;
    this.sinceMs = atMs;
    this.seenMs = atMs;
    this.restsSinceMs = atMs;
    this.#isOfStart = isOfStart;
    this.#scores = [score];
    this.#birthplace = new RestingPlace(box);
    this.#restingPlace = new RestingPlace(box);
  }

  get isConfirmed(): boolean {
    return this.hits >= CONFIRMED_HITS;
  }

  get isStationary(): boolean {
    return this.seenMs - this.restsSinceMs >= STATIONARY_AFTER_MS;
  }

  get isBackground(): boolean {
    return this.#isOfStart && !this.hasMoved;
  }

  /** Where it should be seen, if it goes on as it did (constant velocity). */
  expectedBox(atMs: number): Box {
    if (this.isStationary) return this.box;
    const seconds = Math.min(FORESEEN_S, (atMs - this.seenMs) / 1000);
    return { ...this.box, x: this.box.x + this.#velocity.x * seconds, y: this.box.y + this.#velocity.y * seconds };
  }

  see({ box, score }: Detection, { atMs, aspect }: TrackMoment): void {
    this.#followVelocity(box, (atMs - this.seenMs) / 1000);
    this.box = box;
    this.seenMs = atMs;
    this.isSeen = true;
    this.hits += 1;
    this.missedMs = 0;
    this.#scores.push(score);
    if (this.#scores.length > SCORES) this.#scores.shift();
    this.medianScore = median(this.#scores);
    this.hasMoved ||= this.#birthplace.isLeft(box, aspect);
    if (!this.#restingPlace.isLeft(box, aspect)) return;
    this.#restingPlace = new RestingPlace(box);
    this.restsSinceMs = atMs;
  }

  /** The slower the frames, the more the newest step says about the velocity. */
  #followVelocity(box: Box, seconds: number): void {
    const weight = this.hits === 1 ? 1 : Math.min(0.8, 0.25 + 0.5 * seconds);
    const x = (box.x + box.width / 2 - this.box.x - this.box.width / 2) / seconds;
    const y = (box.y + box.height / 2 - this.box.y - this.box.height / 2) / seconds;
    this.#velocity = {
      x: this.#velocity.x + (x - this.#velocity.x) * weight,
      y: this.#velocity.y + (y - this.#velocity.y) * weight,
    };
  }
}

function median(scores: readonly number[]): number {
  const sorted = scores.toSorted((one, other) => one - other);
  const middle = (sorted.length - 1) / 2;
  return ((sorted[Math.floor(middle)] ?? 0) + (sorted[Math.ceil(middle)] ?? 0)) / 2;
}

interface TrackBirth {
  readonly atMs: number;
  /** The tracker has only just begun: what stands there may have stood there before. */
  readonly isOfStart: boolean;
}

/** The track as it is now; the tracker goes on to change its own. */
export function trackNow(track: Track): Track {
  return {
    trackId: track.trackId,
    objectClass: track.objectClass,
    box: track.box,
    medianScore: track.medianScore,
    isConfirmed: track.isConfirmed,
    sinceMs: track.sinceMs,
    seenMs: track.seenMs,
    isSeen: track.isSeen,
    hasMoved: track.hasMoved,
    restsSinceMs: track.restsSinceMs,
    isStationary: track.isStationary,
    isBackground: track.isBackground,
  };
}
