// Smooths timestamps against drift: how far a track's time line must move to follow arrival when the device's RTP clock does not.
import { ROUND_MS } from '@vedette/protocols/rtsp/read-rounds.ts';

/** Frames arrive in bursts; the least late one of this period counts. */
const BUCKET_MS = 1000;
/** Smaller deviations are jitter, batching for unwatched streams, or ordinary clock drift. */
const TOLERANCE_MS = ROUND_MS + 50;
const SETTLED_MS = 20;
const CORRECTING_MS = 15_000;
/** Length of the initial period whose least late frame is the reference. */
const CALIBRATION_MS = 3000;
/** Rates of stretching and compressing the time line; below 1, so that it never stops. */
const STRETCH = 2;
const PRESS = 0.8;

/**
 * A camera that declares 25 frames a second and sends 21 with times 1/25 s apart runs its clock a sixth too slow:
 * without correction the time line would lose ten minutes an hour.
 */
export class TimestampSmoother {
  #bucketMs = 0;
  #least = Infinity;
  #leastBefore = Infinity;
  #lastMs = 0;
  #isMoving = false;
  /** Initial lag of the time line, caused by its first frame; null until known. */
  #usualMs: number | null = null;
  #startMs = 0;
  #movedMs = -Infinity;

  /** Whether the device's clock recently ran at another rate than ours. */
  isCorrecting(nowMs: number): boolean {
    return nowMs - this.#movedMs < CORRECTING_MS;
  }

  /** Lateness of the least late frames, in milliseconds. */
  get usualMs(): number {
    return this.#usualMs ?? 0;
  }

  /** The time line was set anew. */
  restart(positionMs: number, nowMs: number): void {
    this.#bucketMs = nowMs;
    this.#least = Infinity;
    this.#leastBefore = Infinity;
    this.#lastMs = positionMs;
    this.#isMoving = false;
    this.#usualMs = null;
    this.#startMs = nowMs;
  }

  /** Correction in milliseconds for units after one at `positionMs` that arrived at `nowMs` (monotonic). */
  correction(positionMs: number, nowMs: number): number {
    const passed = Math.max(0, positionMs - this.#lastMs);
    this.#lastMs = positionMs;
    if (this.#usualMs === null) {
      this.#least = Math.min(this.#least, nowMs - positionMs);
      if (nowMs - this.#startMs < CALIBRATION_MS) return 0;
      this.#usualMs = this.#least;
      this.#bucketMs = nowMs;
      this.#least = Infinity;
    }
    if (nowMs - this.#bucketMs >= BUCKET_MS) {
      this.#bucketMs = nowMs;
      this.#leastBefore = this.#least;
      this.#least = Infinity;
    }
    this.#least = Math.min(this.#least, nowMs - positionMs);
    if (this.#leastBefore === Infinity) return 0;
    const lag = Math.min(this.#least, this.#leastBefore) - this.#usualMs;
    if (Math.abs(lag) > TOLERANCE_MS) this.#isMoving = true;
    else if (Math.abs(lag) < SETTLED_MS) this.#isMoving = false;
    if (!this.#isMoving) return 0;
    const step = Math.max(-PRESS * passed, Math.min(STRETCH * passed, lag));
    this.#least -= step;
    this.#leastBefore -= step;
    this.#lastMs += step;
    this.#movedMs = nowMs;
    return step;
  }
}
