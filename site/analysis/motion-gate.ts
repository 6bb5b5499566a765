// Whether something moves in a channel: keyframes alone, small and grey, so that a quiet camera costs hardly anything.
import type { Clock } from '@vedette/foundation/time/clock.ts';
import type { CodecWorker } from '@vedette/media/codec/codec-worker.ts';
import type { SharedStream } from '@vedette/media/stream/shared-stream.ts';
import { MotionDetector } from '@vedette/rules/motion/motion-detector.ts';
import { newestKeyframe } from '../motion/newest-keyframe.ts';

const EVERY_MS = 1000;
export const GATE_SIZE = { width: 64, height: 36 } as const;
/** A person of an eighth of the height is nine of its pixels: almost as sensitive as can be. What it lets pass in vain costs frames, no alarm. */
const SENSITIVITY = 95;
const CELLS = { columns: 16, rows: 9, cells: '1'.repeat(16 * 9) };

/** For frames of `GATE_SIZE`, one a second at most. */
export function gateDetector(): MotionDetector {
  return new MotionDetector(CELLS, SENSITIVITY);
}

export class MotionGate {
  readonly #codec: CodecWorker;
  readonly #clock: Clock;
  readonly #closing = new AbortController();
  readonly #detector = gateDetector();
  #dts: bigint | number | null = null;
  #askedAt = Number.NEGATIVE_INFINITY;
  #isBusy = false;
  /** When it last looked at a keyframe, by the monotonic clock, ms. */
  lookedAt = Number.NEGATIVE_INFINITY;

  constructor(codec: CodecWorker, clock: Clock) {
    this.#codec = codec;
    this.#clock = clock;
  }

  get isMoving(): boolean {
    return this.#detector.isMoving;
  }

  /** Call it often: it looks at each keyframe once, and at most at one a second. */
  look(stream: SharedStream): void {
    const now = this.#clock.monotonicMs();
    if (this.#isBusy || now - this.#askedAt < EVERY_MS) return;
    const newest = newestKeyframe(stream);
    if (newest === null || newest.dts === this.#dts) return;
    this.#dts = newest.dts;
    this.#askedAt = now;
    this.#isBusy = true;
    this.#codec
      .grey(newest.picture, GATE_SIZE, this.#closing.signal)
      .then((pixels) => {
        this.#detector.detect({ ...GATE_SIZE, pixels });
        this.lookedAt = now;
      })
      // The next keyframe may be decodable.
      .catch(() => undefined)
      .finally(() => {
        this.#isBusy = false;
      });
  }

  close(): void {
    this.#closing.abort();
  }
}
